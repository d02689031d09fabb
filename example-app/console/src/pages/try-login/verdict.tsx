import { Badge, Group, Paper, Stack, Text } from "@mantine/core";
import type { JrdLink, Trace } from "../../api/types.js";
import { useSession } from "../../session/use-session.js";
import { providerOf } from "../../parts/link-provider.js";
import { RecordLink } from "../../parts/records/record-link.js";
import { visible } from "../../parts/visible.js";
import { tryAnswer as texts } from "../../texts/en/try-answer.js";

const TYPES: Readonly<Record<string, string>> = { SAML2: "SAML 2.0", OIDC: "OpenID Connect" };

/** The provider that signs the login in, and the rule that decided it, in one sentence each. */
export function Verdict({ trace }: Readonly<{ trace: Trace }>) {
  const { match, login, links } = trace;
  const [first, ...others] = links;
  return (
    <Paper withBorder p="lg" style={{ borderInlineStart: "4px solid var(--mantine-primary-color-filled)" }}>
      <Stack gap={6}>
        <Group gap="sm">
          <Text size="lg" component="span">
            {texts.signsIn({
              login: (
                <span key="login" className="foreign">
                  {visible(login)}
                </span>
              ),
              provider: (
                <Text key="provider" span fw={700} className="foreign" data-testid="provider">
                  {first ? <ProviderName link={first} /> : texts.noProvider}
                </Text>
              ),
            })}
          </Text>
          {first && <ProviderType link={first} />}
        </Group>
        <Text c="dimmed">
          {texts[match.conditions.length === 0 ? "decidesAll" : "decides"]({
            priority: String(match.priority),
            rule: (
              <Text key="rule" span data-testid="rule">
                <RecordLink page="/rules" id={match.id} name={match.name} fw={600} />
              </Text>
            ),
          })}
        </Text>
        {others.length > 0 && (
          <Text size="sm" c="dimmed">
            {texts.after({
              providers: others.map((link, index) => (
                <Text span key={link.href} fw={500} c="bright" className="foreign">
                  {index > 0 && texts.comma}
                  <ProviderName link={link} />
                </Text>
              )),
            })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function ProviderName({ link }: Readonly<{ link: JrdLink }>) {
  const { org } = useSession();
  const { id } = providerOf(link);
  if (id === undefined) return visible(texts.itself({ org: org.name }));
  return <RecordLink page="/idps" id={id} name={link.titles["und"] ?? link.href} />;
}

function ProviderType({ link }: Readonly<{ link: JrdLink }>) {
  const { type, id } = providerOf(link);
  if (type === undefined || id === undefined) return null;
  return (
    <Badge variant="light" tt="none">
      {TYPES[type] ?? type}
    </Badge>
  );
}
