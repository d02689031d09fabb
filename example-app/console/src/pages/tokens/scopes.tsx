import { Button, Group, Input, SegmentedControl, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ApiToken } from "../../api/types.js";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { useSession } from "../../session/use-session.js";
import { pages } from "../../texts/en/pages.js";
import { tokenForm } from "../../texts/en/token-form.js";
import { tokens } from "../../texts/en/tokens.js";

type Right = "none" | "read" | "manage";

/** What a token may do, by resource. */
export type Rights = Readonly<Record<string, Right>>;

/** The resources, each with the page that has its name. */
const RESOURCES = {
  users: "users",
  idps: "idps",
  policies: "rules",
  zones: "zones",
  trustedOrigins: "origins",
  logs: "log",
  apiTokens: "tokens",
} as const satisfies Readonly<Record<string, keyof typeof pages>>;

const RIGHTS = ["none", "read", "manage"] as const satisfies readonly Right[];

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
  if (rights.every((right) => right === "manage")) return tokens.allScopes;
  return scopes.map((scope) => scope.split(".").slice(-2).join(".")).join(", ");
}

interface ScopeFieldsProps {
  rights: Rights;
  onChange: (rights: Rights) => void;
  fault: ReactNode;
}

/** A choice for each resource, of what the token of the session may give. */
export function ScopeFields({ rights, onChange, fault }: Readonly<ScopeFieldsProps>) {
  const { token } = useSession();
  const held = toRights(token.scopes);
  return (
    <HelpedFieldset legend={tokenForm.scopes} term="scopes">
      <Stack gap="xs">
        {Object.entries(RESOURCES).map(([resource, page]) => (
          <Group key={resource} justify="space-between" gap="xs">
            <Text size="sm" c={held[resource] === "none" ? "dimmed" : undefined}>
              {pages[page]}
            </Text>
            <SegmentedControl
              aria-label={pages[page]}
              size="xs"
              data={RIGHTS.filter((right) => mayGive(held[resource], right)).map((value) => ({
                value,
                label: tokenForm[value],
              }))}
              value={rights[resource] ?? "none"}
              onChange={(right) => {
                onChange({ ...rights, [resource]: right });
              }}
            />
          </Group>
        ))}
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {tokenForm.aboutScopes}
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              onChange(held);
            }}
          >
            {tokenForm.all}
          </Button>
        </Group>
        {fault !== undefined && <Input.Error>{fault}</Input.Error>}
      </Stack>
    </HelpedFieldset>
  );
}

function mayGive(held: Right | undefined, right: string): boolean {
  return right === "none" || held === "manage" || held === right;
}
