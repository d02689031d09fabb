import { answerOf, api, ifMatch } from "../../api/client.js";
import type { Answer } from "../../api/http.js";
import type { PolicyFinding, Replay, Rule } from "../../api/types.js";
import type { NamedOutcome } from "../../parts/outcomes.js";
import { nameSamples } from "../../parts/samples.js";
import { describeQuestion, type Question } from "../../parts/tried.js";
import type { Allowance } from "../../parts/use-allowed-write.js";
import { ruleReplay as texts } from "../../texts/en/rule-replay.js";

/** What a write of a rule sends. */
export type RuleBody = Pick<Rule, "name" | "conditions" | "actions"> & Partial<Pick<Rule, "priority" | "status">>;

/** A body that replaces a rule. For the default rule it has only the actions. */
export type RuleReplacement = Partial<RuleBody> & Pick<RuleBody, "actions">;

const RULE = "/api/v1/policies/{policyId}/rules/{ruleId}";

export function readRule(policyId: string, ruleId: string, signal?: AbortSignal): Promise<Answer<Rule>> {
  return answerOf(api.GET(RULE, { params: { path: { policyId, ruleId } }, ...(signal && { signal }) }));
}

/** @returns its id */
export async function createRule(policyId: string, body: RuleBody, query: Allowance): Promise<string> {
  const call = api.POST("/api/v1/policies/{policyId}/rules", { params: { path: { policyId }, query }, body });
  return (await answerOf(call)).data.id;
}

/** @param etag of the version that is replaced; a later one stays */
export async function replaceRule(
  policyId: string,
  ruleId: string,
  body: RuleReplacement,
  etag: string | undefined,
  query: Allowance,
): Promise<void> {
  await api.PUT(RULE, { params: { path: { policyId, ruleId }, query, header: ifMatch(etag) }, body });
}

export async function deleteRule(
  policyId: string,
  ruleId: string,
  etag: string | undefined,
  query: Pick<Allowance, "allowFailingTests">,
): Promise<void> {
  await api.DELETE(RULE, { params: { path: { policyId, ruleId }, query, header: ifMatch(etag) } });
}

/** Give a rule another place, unless somebody else has changed it meanwhile. */
export async function moveRule(policyId: string, { id }: Rule, priority: number, allowed: Allowance): Promise<void> {
  const { data, etag } = await readRule(policyId, id);
  await replaceRule(policyId, id, { ...toBody(data), priority }, etag, allowed);
}

/** Switch a rule on or off. */
export async function switchRule(policyId: string, { id, status }: Rule, query: Allowance): Promise<void> {
  const params = { path: { policyId, ruleId: id }, query };
  if (status === "ACTIVE") await api.POST(`${RULE}/lifecycle/deactivate`, { params });
  else await api.POST(`${RULE}/lifecycle/activate`, { params });
}

export function toBody({ name, conditions, actions, priority, status, system }: Rule): RuleBody {
  return { name, conditions, actions, ...(!system && { priority, status }) };
}

/** A rule as it would be: none to delete it. Without an id it is a new one. */
export interface RuleChange {
  readonly ruleId?: string;
  readonly rule?: RuleReplacement;
}

/** What a change would do to logins, and to one of each rule. Nothing is written. */
export async function previewChange(
  policyId: string,
  change: RuleChange,
  logins: readonly Question[],
  signal?: AbortSignal,
): Promise<Preview> {
  const { data } = await answerOf(
    api.POST("/api/v1/policies/{policyId}/preview", {
      params: { path: { policyId } },
      body: {
        ...change,
        samples: true,
        ...(logins.length > 0 && {
          logins: logins.map(({ login, clientIp, userAgent }) => ({
            login,
            ...(clientIp !== "" && { clientIp }),
            ...(userAgent !== "" && { userAgent }),
          })),
        }),
      },
      ...(signal && { signal }),
    }),
  );
  const tried = data.results.flatMap((result, index) => {
    const question = logins[index];
    return question ? [{ ...result, name: describeQuestion(question) }] : [];
  });
  const samples = nameSamples(data.samples ?? []);
  return {
    tried,
    samples: samples.filter(({ name }) => !tried.some((one) => one.name === name)),
    findings: data.findings.added,
  };
}

export interface Preview {
  /** The logins that one has tried. */
  readonly tried: readonly NamedOutcome[];
  /** One of each rule. */
  readonly samples: readonly NamedOutcome[];
  readonly findings: readonly PolicyFinding[];
}

/** Who of all that signed in since then would go elsewhere. Nothing is written. */
export async function replayLog(
  policyId: string,
  change: RuleChange,
  since: string,
  signal: AbortSignal,
): Promise<Replay> {
  const { data } = await answerOf(
    api.POST("/api/v1/policies/{policyId}/preview", {
      params: { path: { policyId } },
      body: { ...change, since },
      signal,
    }),
  );
  if (!data.replay) throw new Error(texts.noReplay);
  return data.replay;
}
