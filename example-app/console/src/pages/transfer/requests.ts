import { exchange, withQuery } from "../../api/http.js";
import type { components } from "../../api/openapi.js";

export type ImportResult = components["schemas"]["ImportResult"];

/** A file as the server names and sends it. */
interface ExportedFile {
  readonly name: string;
  readonly content: Blob;
}

/** A file to import. */
export interface Import {
  readonly text: string;
  /** Whether routing tests may fail after it. */
  readonly mayFailTests: boolean;
}

/** The text is sent as it is, so that the places in what is wrong are places in it. */
export async function importText(
  { text, mayFailTests }: Import,
  isDryRun: boolean,
  signal: AbortSignal,
): Promise<ImportResult> {
  const query = { dryRun: String(isDryRun), allowFailingTests: mayFailTests ? "true" : undefined };
  const response = await exchange(
    new Request(withQuery("/api/v1/org/import", query), {
      method: "POST",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: text,
      signal,
    }),
  );
  return (await response.json()) as ImportResult;
}

export async function exportFile(users: boolean, signal: AbortSignal): Promise<ExportedFile> {
  const response = await exchange(new Request(withQuery("/api/v1/org/export", { users: String(users) }), { signal }));
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  return { name: name ?? "export.json", content: await response.blob() };
}
