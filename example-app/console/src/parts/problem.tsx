import { Alert, Group, List, Text } from "@mantine/core";
import { ApiProblem } from "../api/http.js";
import { Copy } from "./copy.js";
import { splitCauses, summarize, toWords } from "./faults.js";

interface ProblemProps {
  error: Error;
  title?: string;
  /** Whether the fields of a form have what is wrong with them. */
  isAtFields?: boolean;
}

/** What went wrong: the summary, each cause, and the id by which the log has the request. */
export function Problem({ error, title, isAtFields = false }: Readonly<ProblemProps>) {
  const { causes, id, code, status } = error instanceof ApiProblem ? error : NO_FACTS;
  const { fields, others } = isAtFields ? splitCauses(causes) : { fields: [], others: causes };
  const summary = fields.length > 0 && others.length === 0 ? `See ${fields.join(", ")}.` : summarize(error);
  return (
    <Alert color="red" variant="light" title={title ?? <span className="foreign">{summary}</span>} role="alert">
      {title !== undefined && <Text size="sm">{summary}</Text>}
      {others.length > 0 && status !== 404 && (
        <List size="sm" mt={4}>
          {others.map((cause) => (
            <List.Item key={cause} className="foreign">
              {toWords(cause)}
            </List.Item>
          ))}
        </List>
      )}
      {id !== "" && (
        <Group gap={6} mt="xs">
          <Text size="xs" className="mono">
            {code} · {id}
          </Text>
          <Copy value={id} label="Copy the id of the request" />
        </Group>
      )}
    </Alert>
  );
}

const NO_FACTS = { causes: [], id: "", code: "", status: 0 };
