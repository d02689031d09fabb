import { Anchor, Box, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { PolicyFinding } from "../../api/types.js";
import { WarningIcon } from "../../parts/icons.js";
import { rules as texts } from "../../texts/en/rules.js";
import { describeFinding } from "./describe-finding.js";
import { isWarning } from "./use-findings.js";

/** What may be wrong with a rule, each with a login that shows it. */
export function RuleFindings({ findings }: Readonly<{ findings: readonly PolicyFinding[] }>) {
  return findings.map((finding) => <RuleFinding key={finding.type} finding={finding} />);
}

function RuleFinding({ finding }: Readonly<{ finding: PolicyFinding }>) {
  const { detail, sample } = finding;
  const isSerious = isWarning(finding);
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" mt={4} data-finding={finding.type}>
      {isSerious && (
        <Box c="orange.8" mt={1}>
          <WarningIcon size={16} />
        </Box>
      )}
      <Text size="xs" className="foreign" {...(!isSerious && { c: "dimmed" })}>
        {describeFinding(finding) ?? <span lang="en">{detail}</span>}{" "}
        {sample && (
          <Anchor
            inherit
            underline="always"
            renderRoot={(props: object) => (
              <Link
                to="/"
                search={{ login: sample.login, ...(sample.clientIp !== undefined && { ip: sample.clientIp }) }}
                {...props}
              />
            )}
          >
            {texts.tryLogin({ login: sample.login })}
          </Anchor>
        )}
      </Text>
    </Group>
  );
}
