import { Alert, Stack, Text, VisuallyHidden } from "@mantine/core";
import type { ComparedSample, RoutingOutcome } from "../api/types.js";
import { useSession } from "../session/use-session.js";
import { outcomes as texts } from "../texts/en/outcomes.js";
import { parts } from "../texts/en/parts.js";
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
            {texts.move({
              name: (
                <Text key="name" span fw={600}>
                  {nameOf(name)}
                </Text>
              ),
              before: <Providers key="before" outcome={before} />,
              arrow: <Arrow key="arrow" />,
              after: (
                <Text key="after" span fw={600} inherit>
                  <Providers outcome={after} />
                </Text>
              ),
              by: (
                <Text key="by" span size="xs" c="dimmed">
                  {texts.by({ rule: visible(after.rule.name) })}
                </Text>
              ),
            })}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

function Arrow() {
  return (
    <>
      <span aria-hidden="true"> → </span>
      <VisuallyHidden> {texts.after} </VisuallyHidden>
    </>
  );
}

function nameOf(name: string): string {
  return name === "" ? texts.noLogin : visible(name);
}

/** All logins that a preview asked. */
export function TestedLogins({ tested }: Readonly<{ tested: readonly NamedOutcome[] }>) {
  const moved = tested.filter(({ changed }) => changed);
  return (
    <Stack gap="xs">
      {moved.length > 0 && <MovedLogins moved={moved} />}
      <Text size="sm" c="dimmed">
        {parts.sentence({ text: describeCount(moved.length, tested.length) })}
      </Text>
      {tested.length > 0 && (
        <Text component="details" size="sm" c="dimmed">
          <summary>{texts.which}</summary>
          {tested.map(({ name, before }, index) => (
            <Text key={`${index} ${name}`} size="sm" className="foreign">
              {texts.stay({ name: nameOf(name), rule: visible(before.rule.name) })}
            </Text>
          ))}
        </Text>
      )}
    </Stack>
  );
}

/** `3 of 36 test logins go elsewhere` */
export function describeCount(moved: number, tested: number): string {
  if (tested === 1) return moved === 1 ? texts.oneMoves : texts.oneStays;
  return moved === 0 ? texts.allStay({ all: tested }) : texts.someMove({ n: moved, all: tested });
}

/** The providers that an outcome has, in order of preference. */
export function Providers({ outcome }: Readonly<{ outcome: RoutingOutcome }>) {
  const { org } = useSession();
  return outcome.providers.map(({ name }) => visible(name ?? texts.itself({ org: org.name }))).join(texts.thenNext);
}
