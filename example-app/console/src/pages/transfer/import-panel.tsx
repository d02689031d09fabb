import { Alert, Button, FileInput, Group, Paper, Stack, Text, Textarea, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ORG_FILE_LIMITS } from "../../../../src/transfer/org-file-limits.js";
import { ApiProblem } from "../../api/http.js";
import { helped } from "../../parts/help.js";
import { Live } from "../../parts/live.js";
import { TestedLogins } from "../../parts/outcomes.js";
import { Problem } from "../../parts/problem.js";
import { nameSamples } from "../../parts/samples.js";
import { transferImport as texts } from "../../texts/en/transfer-import.js";
import { Changes, Counts, countChanges } from "./changes.js";
import { Mistakes } from "./mistakes.js";
import { findTextMistakes, locateCauses, type Mistake } from "./places.js";
import { importText, type Import, type ImportResult } from "./requests.js";
import { isCancelled, useWork } from "./use-work.js";
import { Working } from "./working.js";

const MEBIBYTE = 1_048_576;

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
  const turn = useRef(0);

  const forget = () => {
    turn.current++;
    rehearsal.run.reset();
    real.run.reset();
    setMistakes(undefined);
    setChecked(undefined);
  };
  const check = async (source: File | string) => {
    forget();
    const mine = turn.current;
    const text = await readText(typeof source === "string" ? new Blob([source]) : source);
    if (mine !== turn.current) return; // another file was chosen meanwhile
    const wrong = typeof text === "string" ? findTextMistakes(text) : [text];
    setMistakes(wrong);
    if (typeof text === "string") rehearse({ text, mayFailTests: false }, wrong === undefined);
  };
  const rehearse = (wanted: Import, isSound = true) => {
    setChecked(wanted);
    if (isSound) rehearsal.run.mutate(wanted);
  };
  const refused = run.error instanceof ApiProblem && [400, 409].includes(run.error.status) ? run.error : undefined;
  const found = mistakes ?? (refused && checked !== undefined ? locateCauses(checked.text, refused.causes) : undefined);

  return (
    <Paper withBorder p="md" component="section" aria-label={texts.import}>
      <Stack gap="md">
        <Introduction />
        <FileInput
          {...helped(texts.file, "importFile")}
          placeholder={texts.chooseFile}
          accept="application/json,.json"
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            setTyped("");
            if (chosen) void check(chosen);
            else forget();
          }}
          clearable
          clearButtonProps={{ "aria-label": texts.chooseNone }}
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
        {run.isPending && <Working what={run === real.run ? texts.importing : texts.checking} onCancel={cancel} />}
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
          <Problem error={run.error} title={run === real.run ? texts.failed : texts.notChecked} />
        )}
        <Live>
          {isCancelled(run.error) && (
            <Cancelled wasReal={run === real.run} onCheck={() => void (checked && check(checked.text))} />
          )}
          {checked && run.data && <Told result={run.data} />}
        </Live>
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
        {texts.import}
      </Title>
      <Text size="sm" c="dimmed">
        {texts.about}
      </Text>
    </div>
  );
}

function GoOn({ onGoOn }: Readonly<{ onGoOn: () => void }>) {
  return (
    <Button variant="default" style={{ alignSelf: "flex-start" }} onClick={onGoOn}>
      {texts.goOn}
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
        label={texts.paste}
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
        {texts.show}
      </Button>
    </Stack>
  );
}

interface OutcomeProps {
  result: ImportResult;
  text: string;
  onImport: () => void;
}

function Told({ result }: Readonly<Pick<OutcomeProps, "result">>) {
  const count = countChanges(result);
  const title = count === 0 ? texts.changesNothing : texts.wouldChange({ n: count });
  return (
    <Alert
      color={result.dryRun && count > 0 ? "blue" : "teal"}
      role="group"
      title={result.dryRun ? title : texts.imported({ n: count })}
    >
      {result.dryRun ? texts.notYet : texts.inLog}
    </Alert>
  );
}

function Outcome({ result, text, onImport }: Readonly<OutcomeProps>) {
  const count = countChanges(result);
  return (
    <Stack gap="md">
      <Counts counts={result.counts} />
      {result.samples.length > 0 && <TestedLogins tested={nameSamples(result.samples)} />}
      {result.changes.length > 0 && <Changes result={result} text={text} />}
      {result.dryRun && count > 0 && (
        <Group justify="flex-end">
          <Button onClick={onImport}>{texts.importNow({ n: count })}</Button>
        </Group>
      )}
    </Stack>
  );
}

function Cancelled({ wasReal, onCheck }: Readonly<{ wasReal: boolean; onCheck: () => void }>) {
  return (
    <Alert color="yellow" title={texts.cancelled} role="group">
      <Stack gap="sm" align="flex-start">
        {wasReal ? texts.maybeDone : texts.untouched}
        <Button size="xs" variant="default" onClick={onCheck}>
          {texts.show}
        </Button>
      </Stack>
    </Alert>
  );
}

/** The text, or why there is none: the file is too large, or the browser may not read it. */
async function readText(file: Blob): Promise<string | Mistake> {
  const fail = (reason: string): Mistake => ({ line: undefined, place: "", reason, isOwn: true });
  if (file.size > ORG_FILE_LIMITS.bytes) return fail(texts.tooLarge({ mib: ORG_FILE_LIMITS.bytes / MEBIBYTE }));
  return file.text().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
}
