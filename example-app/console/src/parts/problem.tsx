import { Group, Text } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { ApiProblem } from "../api/http.js";
import { parts } from "../texts/en/parts.js";
import { Callout } from "./callout.js";
import { later } from "./later.js";
import { Summary } from "./summary.js";

const Causes = later(async () => (await import("./causes.js")).Causes);
const Copy = later(async () => (await import("./copy.js")).Copy);

interface ProblemProps {
  error: Error;
  title?: string;
  /** @default what the error says */
  summary?: ReactNode;
}

/** What went wrong: the summary, each cause, and the id by which the log has the request. */
export function Problem({ error, title, summary = <Summary error={error} /> }: Readonly<ProblemProps>) {
  const { causes, id, code, status } = error instanceof ApiProblem ? error : NO_FACTS;
  return (
    <Callout color="red" title={title ?? <span className="foreign">{summary}</span>}>
      {title !== undefined && <Text size="sm">{summary}</Text>}
      {causes.length > 0 && status !== 404 && (
        <Suspense>
          <Causes causes={causes} />
        </Suspense>
      )}
      {id !== "" && (
        <Group gap={6} mt="xs">
          <Text size="xs" className="mono">
            {code} · {id}
          </Text>
          <Suspense>
            <Copy value={id} label={parts.copyRequestId} />
          </Suspense>
        </Group>
      )}
    </Callout>
  );
}

const NO_FACTS: Pick<ApiProblem, "causes" | "id" | "code" | "status"> = { causes: [], id: "", code: "", status: 0 };
