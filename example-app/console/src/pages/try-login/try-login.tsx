import { Box, Group, Paper, Stack } from "@mantine/core";
import { type ReactNode, Suspense, useEffect } from "react";
import { ApiProblem } from "../../api/http.js";
import { later } from "../../parts/later.js";
import { Live } from "../../parts/live.js";
import { Empty, Page } from "../../parts/page.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { ServerText } from "../../parts/server-text.js";
import { Waiting } from "../../parts/waiting.js";
import { useScope } from "../../session/use-session.js";
import { FirstRun } from "../first-run/first-run.js";
import { AsOf, CopyLink, Decision, KeepAsTest, loadAnswer, Response, Verdict } from "./answer-parts.js";
import { MomentField } from "./moment-field.js";
import { QuestionForm } from "./question-form.js";
import { Tried } from "./tried.js";
import { trimmed, useAsked } from "./use-asked.js";
import { useTrace } from "./use-trace.js";
import { useTried } from "./use-tried.js";
import { pages } from "../../texts/en/pages.js";
import { tryLogin as texts } from "../../texts/en/try-login.js";

const LoginHint = later(async () => (await import("../first-run/login-hint.js")).LoginHint);

/** Who signs a login in, and why: live, rule by rule. */
export function TryLogin() {
  const { question, setQuestion, moment, setMoment, asked } = useAsked();
  const trace = useTrace(trimmed(asked), moment);
  const isAnswered = trace.data !== undefined && !trace.isError && asked.login.trim() !== "";
  const { tried, keep } = useTried(question, isAnswered && !trace.isPlaceholderData && asked === question);
  const isAsked = question.login.trim() !== "";
  useEffect(() => {
    if (isAsked) void loadAnswer().catch(() => undefined); // beside the request
  }, [isAsked]);
  const mayKeep = useScope("policies.manage");
  const shown = isAnswered ? trace.data.pages[0]?.data : undefined;
  const isPast = shown?.asOf !== undefined;
  const [clientFault, timeFault] = ["clientIp", "at"].map((name) => faultOf(trace.error, name));

  return (
    <Page title={pages.tryLogin} help="tryLogin" about={texts.about}>
      <FirstRun />
      <Paper withBorder p="lg">
        <QuestionForm question={question} onChange={setQuestion} onDone={keep} addressFault={clientFault} />
        <MomentField moment={moment} onChange={setMoment} fault={timeFault} />
        {tried.length > 0 && (
          <Tried
            tried={tried}
            onChoose={(chosen) => {
              keep();
              setQuestion(chosen);
            }}
          />
        )}
      </Paper>
      {(clientFault ?? timeFault) === undefined && <ReadingProblem error={trace.error} />}
      {!isAnswered && !trace.isError && <NoAnswer isLoading={trace.isFetching} />}
      <Box style={{ opacity: trace.isPlaceholderData ? 0.6 : 1 }} aria-busy={trace.isPlaceholderData}>
        <Stack gap="lg">
          <Live>
            {shown && isPast && <AsOf trace={shown} />}
            {shown && <Verdict trace={shown} />}
          </Live>
          {shown && (
            <Group gap="xs">
              <CopyLink />
              {mayKeep && !isPast && (
                <KeepAsTest
                  key={JSON.stringify(asked)}
                  trace={shown}
                  question={trimmed(asked)}
                  isCurrent={!trace.isPlaceholderData}
                />
              )}
            </Group>
          )}
          {shown && (
            <div className="answer">
              <Decision trace={shown} tried={trace} />
              <Response trace={shown} />
            </div>
          )}
        </Stack>
      </Box>
    </Page>
  );
}

function NoAnswer({ isLoading }: Readonly<{ isLoading: boolean }>) {
  if (isLoading) {
    return (
      <Group justify="center" py="xl">
        <Waiting what={texts.asking} />
      </Group>
    );
  }
  return (
    <Empty title={texts.begin}>
      <Suspense>
        <LoginHint />
      </Suspense>
    </Empty>
  );
}

/** What is wrong with a parameter. One that is typed is often not complete yet. */
function faultOf(error: Error | null, name: string): ReactNode {
  if (!(error instanceof ApiProblem)) return undefined;
  const cause = error.causes.find((text) => text.startsWith(`${name}: `));
  return cause === undefined ? undefined : <ServerText text={cause.replace(`${name}: `, "")} />;
}
