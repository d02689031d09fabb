import { Alert, Button, FileInput, Group, Paper, Stack, Text, Textarea, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiProblem } from "../../api/http.js";
import { TestedLogins } from "../../parts/outcomes.js";
import { Problem } from "../../parts/problem.js";
import { nameSamples } from "../../parts/samples.js";
import { Changes, Counts, countChanges } from "./changes.js";
import { Mistakes } from "./mistakes.js";
import { findTextMistakes, locateCauses, type Mistake } from "./places.js";
import { importText, type Import, type ImportResult } from "./requests.js";
import { isCancelled, useWork } from "./use-work.js";
import { Working } from "./working.js";

/** The length of a file, in bytes. The server takes no larger one. */
const MAX_BYTES = 2_097_152;

/** The code of the error when routing tests would fail. */
const FAILING_TESTS = "E0009102";

/** A file is read, tried, and then imported. */
export function ImportPanel() {
  const [file, setFile] = useState<File | null>(null);
  const [typed, setTyped] = useState("");
  const [checked, setChecked] = useState<Import>();
  const [mistakes, setMistakes] = useState<readonly Mistake[]>();
  const client = useQueryClient();
  const rehearsal = useWork((wanted: Import, signal) => importText(wanted, true, signal));
  const real = useWork((wanted: Import, signal) => importText(wanted, false, signal), {
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== "session" }),
  });
  const { run, cancel } = real.run.isIdle ? rehearsal : real;

  const forget = () => {
    rehearsal.run.reset();
    real.run.reset();
    setMistakes(undefined);
    setChecked(undefined);
  };
  const check = async (source: File | string) => {
    forget();
    const text = typeof source === "string" ? source : await readText(source);
    const wrong = text === undefined ? [tooLarge()] : findTextMistakes(text);
    setMistakes(wrong);
    if (text !== undefined) rehearse({ text, mayFailTests: false }, wrong === undefined);
  };
  const rehearse = (wanted: Import, isSound = true) => {
    setChecked(wanted);
    if (isSound) rehearsal.run.mutate(wanted);
  };
  const refused = run.error instanceof ApiProblem && [400, 409].includes(run.error.status) ? run.error : undefined;
  const found = mistakes ?? (refused && checked !== undefined ? locateCauses(checked.text, refused.causes) : undefined);

  return (
    <Paper withBorder p="md" component="section" aria-label="Import">
      <Stack gap="md">
        <Introduction />
        <FileInput
          label="A file"
          placeholder="Choose a JSON file"
          accept="application/json,.json"
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            setTyped("");
            if (chosen) void check(chosen);
            else forget();
          }}
          clearable
          clearButtonProps={{ "aria-label": "Choose no file" }}
          disabled={run.isPending}
        />
        {!file && (
          <Paste
            value={typed}
            onChange={(text) => {
              setTyped(text);
              forget();
            }}
            onCheck={() => void check(typed)}
            isDisabled={run.isPending}
          />
        )}
        {run.isPending && (
          <Working what={run === real.run ? "Importing" : "Finding out what would change"} onCancel={cancel} />
        )}
        {found && <Mistakes mistakes={found} error={refused ?? null} />}
        {checked && refused?.code === FAILING_TESTS && (
          <GoOn
            onGoOn={() => {
              real.run.reset();
              rehearse({ ...checked, mayFailTests: true });
            }}
          />
        )}
        {run.error && !refused && !isCancelled(run.error) && (
          <Problem error={run.error} title={run === real.run ? "The import failed" : "The file was not checked"} />
        )}
        {isCancelled(run.error) && (
          <Cancelled
            wasReal={run === real.run}
            onCheck={() => {
              if (checked) void check(checked.text);
            }}
          />
        )}
        {checked && run.data && (
          <Outcome
            result={run.data}
            text={checked.text}
            onImport={() => {
              real.run.mutate(checked);
            }}
          />
        )}
      </Stack>
    </Paper>
  );
}

function Introduction() {
  return (
    <div>
      <Title order={2} size="h4">
        Import
      </Title>
      <Text size="sm" c="dimmed">
        First you see what a file would change. An import creates and changes records, by their names, and removes none.
        It does all or nothing.
      </Text>
    </div>
  );
}

function GoOn({ onGoOn }: Readonly<{ onGoOn: () => void }>) {
  return (
    <Button variant="default" style={{ alignSelf: "flex-start" }} onClick={onGoOn}>
      Go on although tests fail
    </Button>
  );
}

interface PasteProps {
  value: string;
  onChange: (text: string) => void;
  onCheck: () => void;
  isDisabled: boolean;
}

function Paste({ value, onChange, onCheck, isDisabled }: Readonly<PasteProps>) {
  return (
    <Stack gap="xs">
      <Textarea
        label="Or paste its text"
        placeholder={'{ "orgs": [{ "subdomain": "…", "zones": [ … ] }] }'}
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
        disabled={isDisabled}
        rows={5}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      />
      <Button
        variant="default"
        onClick={onCheck}
        disabled={isDisabled || value.trim() === ""}
        style={{ alignSelf: "flex-start" }}
      >
        Show what it would change
      </Button>
    </Stack>
  );
}

interface OutcomeProps {
  result: ImportResult;
  text: string;
  onImport: () => void;
}

function Outcome({ result, text, onImport }: Readonly<OutcomeProps>) {
  const count = countChanges(result);
  const title = count === 0 ? "The file changes nothing" : `The file would create or change ${count} ${nounOf(count)}`;
  return (
    <Stack gap="md">
      <Alert
        color={result.dryRun && count > 0 ? "blue" : "teal"}
        role="status"
        title={result.dryRun ? title : `Imported: ${count} ${nounOf(count)}`}
      >
        {result.dryRun
          ? "Nothing was changed yet. Records that the file does not name stay as they are; its rules come first, in its order."
          : "Every change is in the System Log."}
      </Alert>
      <Counts counts={result.counts} />
      {result.samples.length > 0 && <TestedLogins tested={nameSamples(result.samples)} />}
      {result.changes.length > 0 && <Changes result={result} text={text} />}
      {result.dryRun && count > 0 && (
        <Group justify="flex-end">
          <Button onClick={onImport}>
            Import {count} {nounOf(count)}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Cancelled({ wasReal, onCheck }: Readonly<{ wasReal: boolean; onCheck: () => void }>) {
  return (
    <Alert color="yellow" title="Cancelled" role="status">
      <Stack gap="sm" align="flex-start">
        {wasReal
          ? "The import did all or nothing. Look again what the file would change: nothing, if it was done already."
          : "Nothing was changed."}
        <Button size="xs" variant="default" onClick={onCheck}>
          Show what it would change
        </Button>
      </Stack>
    </Alert>
  );
}

function nounOf(count: number): string {
  return count === 1 ? "record" : "records";
}

/** `undefined` when it is too large. */
async function readText(file: File): Promise<string | undefined> {
  return file.size > MAX_BYTES ? undefined : file.text();
}

function tooLarge(): Mistake {
  const reason = "The file has more than 1 MiB. The operator of the server can import it, with the command import.";
  return { line: undefined, place: "", reason };
}
