import { Alert, Group, List, Text } from "@mantine/core";
import { ApiProblem } from "../api/http.js";
import { Copy } from "./copy.js";

/** What went wrong: the summary, each cause, and the id by which the log has the request. */
export function Problem({ error, title }: Readonly<{ error: Error; title?: string }>) {
  const { causes, id, code } = error instanceof ApiProblem ? error : { causes: [], id: "", code: "" };
  return (
    <Alert color="red" variant="light" title={title ?? <span className="foreign">{error.message}</span>} role="alert">
      {title !== undefined && <Text size="sm">{error.message}</Text>}
      {causes.length > 0 && (
        <List size="sm" mt={4}>
          {causes.map((cause) => (
            <List.Item key={cause} className="foreign">
              {cause}
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

/** The causes that name a field, by it: `profile.login: is required`. */
export function faultsOf(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof ApiProblem)) return {};
  return Object.fromEntries(
    error.causes.flatMap((cause) => {
      const [, field, fault] = /^([\w.[\]]+): (.*)$/s.exec(cause) ?? [];
      return field === undefined || fault === undefined ? [] : [[field, fault]];
    }),
  );
}
