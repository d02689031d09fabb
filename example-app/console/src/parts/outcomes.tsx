import { Alert, Stack, Text, VisuallyHidden } from "@mantine/core";
import type { ComparedSample, RoutingOutcome } from "../api/types.js";
import { useSession } from "../session/use-session.js";
import { visible } from "./visible.js";

/** What a change does to a login. */
export interface NamedOutcome extends Pick<ComparedSample, "changed" | "before" | "after"> {
  /** The login and the client in words; empty for nobody. */
  readonly name: string;
}

/** The logins that go elsewhere, each with where it goes now and then. */
function MovedLogins({ moved }: Readonly<{ moved: readonly NamedOutcome[] }>) {
  return (
    <Alert color="yellow" variant="light" p="sm">
      <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: "none" }}>
        {moved.map(({ name, before, after }, index) => (
          <Text key={`${index} ${name}`} component="li" size="sm" className="foreign">
            <Text span fw={600}>
              {name === "" ? "no login" : visible(name)}
            </Text>
            {": "}
            <Providers outcome={before} />
            <span aria-hidden="true"> → </span>
            <VisuallyHidden> then </VisuallyHidden>
            <Text span fw={600} inherit>
              <Providers outcome={after} />
            </Text>{" "}
            <Text span size="xs" c="dimmed">
              by {visible(after.rule.name)}
            </Text>
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

/** All logins that a preview asked. */
export function TestedLogins({ tested }: Readonly<{ tested: readonly NamedOutcome[] }>) {
  const moved = tested.filter(({ changed }) => changed);
  return (
    <Stack gap="xs">
      {moved.length > 0 && <MovedLogins moved={moved} />}
      <Text size="sm" c="dimmed">
        {describeCount(moved.length, tested.length)}.
      </Text>
      {tested.length > 0 && (
        <Text component="details" size="sm" c="dimmed">
          <summary>Which were tested</summary>
          {tested.map(({ name, before }, index) => (
            <Text key={`${index} ${name}`} size="sm" className="foreign">
              {name === "" ? "no login" : visible(name)}: {visible(before.rule.name)}
            </Text>
          ))}
        </Text>
      )}
    </Stack>
  );
}

/** `3 of 36 test logins go elsewhere` */
export function describeCount(moved: number, tested: number): string {
  if (tested === 1) return `The test login ${moved === 1 ? "goes elsewhere" : "goes where it goes now"}`;
  if (moved === 0) return `All ${tested} test logins go where they go now`;
  return `${moved} of ${tested} test logins ${moved === 1 ? "goes" : "go"} elsewhere`;
}

/** The providers that an outcome has, in order of preference. */
export function Providers({ outcome }: Readonly<{ outcome: RoutingOutcome }>) {
  const { org } = useSession();
  return outcome.providers.map(({ name }) => visible(name ?? `${org.name} itself`)).join(", then ");
}
