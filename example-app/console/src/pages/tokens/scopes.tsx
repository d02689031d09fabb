import { Button, Fieldset, Group, Input, SegmentedControl, Stack, Text } from "@mantine/core";
import type { ApiToken } from "../../api/types.js";
import { useSession } from "../../session/use-session.js";

type Right = "none" | "read" | "manage";

/** What a token may do, by resource. */
export type Rights = Readonly<Record<string, Right>>;

const RESOURCES: Readonly<Record<string, string>> = {
  users: "Users",
  idps: "Identity providers",
  policies: "Routing rules",
  zones: "Zones",
  trustedOrigins: "Trusted origins",
  logs: "System Log",
  apiTokens: "API tokens",
};

const RIGHTS = [
  { value: "none", label: "None" },
  { value: "read", label: "Read" },
  { value: "manage", label: "Manage" },
];

/** What these scopes allow. `manage` includes `read`. */
export function toRights(scopes: readonly string[]): Rights {
  const pairs = scopes.map((scope) => scope.split(".").slice(-2));
  return Object.fromEntries(
    Object.keys(RESOURCES).map((resource): [string, Right] => {
      const rights = pairs.filter(([name]) => name === resource).map(([, right]) => right);
      return [resource, rights.includes("manage") ? "manage" : rights.includes("read") ? "read" : "none"];
    }),
  );
}

/** Names of scopes begin with the namespace of the server, which the description of the API does not know. */
export function toScopes(rights: Rights, namespace: string): ApiToken["scopes"] {
  return Object.entries(rights).flatMap(([resource, right]) =>
    right === "none" ? [] : [`${namespace}.${resource}.${right}` as ApiToken["scopes"][number]],
  );
}

/** `users.manage, logs.read` */
export function describeScopes(scopes: readonly string[]): string {
  const rights = Object.values(toRights(scopes));
  if (rights.every((right) => right === "manage")) return "all scopes";
  return scopes.map((scope) => scope.split(".").slice(-2).join(".")).join(", ");
}

interface ScopeFieldsProps {
  rights: Rights;
  onChange: (rights: Rights) => void;
  fault: string | undefined;
}

/** A choice for each resource, of what the token of the session may give. */
export function ScopeFields({ rights, onChange, fault }: Readonly<ScopeFieldsProps>) {
  const { token } = useSession();
  const held = toRights(token.scopes);
  return (
    <Fieldset legend="What it may do">
      <Stack gap="xs">
        {Object.entries(RESOURCES).map(([resource, label]) => (
          <Group key={resource} justify="space-between" gap="xs">
            <Text size="sm" c={held[resource] === "none" ? "dimmed" : undefined}>
              {label}
            </Text>
            <SegmentedControl
              aria-label={label}
              size="xs"
              data={RIGHTS.filter(({ value }) => mayGive(held[resource], value))}
              value={rights[resource] ?? "none"}
              onChange={(right) => {
                onChange({ ...rights, [resource]: right as Right });
              }}
            />
          </Group>
        ))}
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            A token gives no more than it has: this is what the one of your session may give.
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              onChange(held);
            }}
          >
            Choose all
          </Button>
        </Group>
        {fault !== undefined && <Input.Error>{fault}</Input.Error>}
      </Stack>
    </Fieldset>
  );
}

function mayGive(held: Right | undefined, right: string): boolean {
  return right === "none" || held === "manage" || held === right;
}
