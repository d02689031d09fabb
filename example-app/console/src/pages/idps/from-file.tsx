import { Button, FileInput, Stack, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type DragEvent, type SubmitEvent } from "react";
import type { DescribedIdp } from "../../api/types.js";
import { helped } from "../../parts/help.js";
import { Problem } from "../../parts/problem.js";
import { idpStart } from "../../texts/en/idp-start.js";
import { faultOf, readText } from "./read-metadata.js";

/** In bytes: what the server reads at most. */
const MAX_LENGTH = 262_144;

/** Reads a provider from a file or a text. */
export function FromFile({ onRead }: Readonly<{ onRead: (found: DescribedIdp) => void }>) {
  const [text, setText] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const reading = useMutation({
    async mutationFn(source: File | string) {
      if (typeof source === "string") return readText(source);
      if (source.size > MAX_LENGTH) throw new Error(idpStart.tooBig);
      return readText(await source.text());
    },
  });
  const read = (source: File | string) => {
    reading.mutate(source, { onSuccess: onRead }); // only for who still waits for it
  };
  const open = (chosen: File | null) => {
    setFile(chosen);
    setText("");
    if (chosen) read(chosen);
    else reading.reset();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    open(event.dataTransfer.files[0] ?? null);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setFile(null);
    read(text);
  };
  const fault = faultOf(reading.error, "text");

  return (
    <form
      onSubmit={submit}
      onDragOver={(event) => {
        event.preventDefault();
      }}
      onDrop={drop}
    >
      <Stack gap="sm" align="flex-start">
        <FileInput
          {...helped(idpStart.metadataFile, "metadataFile")}
          description={idpStart.aboutFile}
          placeholder={idpStart.chooseFile}
          accept=".xml,.json,application/xml,application/samlmetadata+xml,application/json"
          value={file}
          onChange={open}
          error={file ? fault : undefined}
          clearable
          clearButtonProps={{ "aria-label": idpStart.noFile }}
          w="100%"
        />
        <Textarea
          label={idpStart.paste}
          placeholder={idpStart.either({ saml: '<EntityDescriptor entityID="…"> …', openId: '{ "issuer": "…" }' })}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            reading.reset();
          }}
          error={file ? undefined : fault}
          rows={5}
          maxLength={MAX_LENGTH}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8em" } }}
          w="100%"
        />
        {reading.error && fault === undefined && <Problem error={reading.error} title={idpStart.notRead} />}
        <Button type="submit" loading={reading.isPending} disabled={text.trim() === ""}>
          {idpStart.read}
        </Button>
      </Stack>
    </form>
  );
}
