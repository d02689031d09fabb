import { StoreError } from "../../store/contract/errors.js";
import { hearsChanges } from "../../store/inspect/listening.js";
import { inspectDatabase, type Inspection } from "../../store/inspect/inspect.js";
import { judgeNodes } from "../../store/schema/nodes.js";
import { SCHEMA_VERSION } from "../../store/schema/versions.js";
import type { Settings } from "../settings/settings.js";
import { fault, ok, warning, type Finding } from "./finding.js";

const CHECK = "database";

/** The oldest major version of PostgreSQL that the server takes. */
const MIN_POSTGRES = 15;

type DatabaseSettings = Pick<Settings, "databaseUrl" | "dataFolder"> & Partial<Pick<Settings, "listenUrl">>;

/** Look at the database, and say what is wrong with it. */
export async function checkDatabase({
  databaseUrl,
  listenUrl,
  dataFolder,
}: DatabaseSettings): Promise<{ findings: Finding[]; inspection: Inspection | undefined }> {
  try {
    const inspection = await inspectDatabase(databaseUrl, dataFolder);
    const findings = inspection ? judge(inspection) : [ok(CHECK, "none yet; the first start creates it")];
    if (databaseUrl === undefined || inspection?.isReadOnly) return { findings, inspection };
    return { findings: [...findings, ...(await checkListening(databaseUrl, listenUrl))], inspection };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const remedy =
      databaseUrl === undefined
        ? "check who owns the file and whether it is a backup of SQLite; restore one if it is damaged"
        : "check that PostgreSQL runs, its address, user and password in --database-url, and pg_hba.conf";
    return { findings: [fault(CHECK, error.message, remedy)], inspection: undefined };
  }
}

/** Whether a server learns at once what another one changes. */
async function checkListening(databaseUrl: string, listenUrl: string | undefined): Promise<Finding[]> {
  try {
    if (await hearsChanges(databaseUrl, listenUrl ?? databaseUrl)) return [];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const remedy = "check that PostgreSQL itself runs there, its address, user and password in --listen-url";
    return [fault(CHECK, error.message, remedy)];
  }
  if (listenUrl === undefined) {
    return [warning(CHECK, "a pool by transaction is in between", "name PostgreSQL itself in --listen-url")];
  }
  const text = "what is told over --database-url is not heard over --listen-url";
  return [fault(CHECK, text, "both must lead to one database, and --listen-url to PostgreSQL itself, not to a pool")];
}

function judge(inspection: Inspection): Finding[] {
  const { version, isReadOnly, missing, newer, refusal } = inspection;
  const findings: Finding[] = [];
  const [, major] = /^PostgreSQL (\d+)/.exec(version) ?? [];
  if (major !== undefined && Number(major) < MIN_POSTGRES) {
    findings.push(fault(CHECK, `${version} is too old`, `upgrade it to PostgreSQL ${MIN_POSTGRES} or newer`));
  }
  if (isReadOnly) {
    findings.push(fault(CHECK, "it is a standby and takes no changes", "name the primary in --database-url"));
  }
  if (refusal !== undefined) {
    findings.push(fault(CHECK, `it ${refusal}`, "update the server"));
  } else if (newer.length > 0) {
    const text = `it is one version newer than this server: ${newer.join(", ")}`;
    findings.push(warning(CHECK, text, "a server of this version works with it; update it to end the upgrade"));
  } else if (missing.length > 0) {
    findings.push(describeUpgrade(inspection));
  }
  return findings.length > 0 ? findings : [ok(CHECK, `${version}, version ${SCHEMA_VERSION} of the schema is current`)];
}

function describeUpgrade({ version, schema, missing, removing, nodes }: Inspection): Finding {
  const obstacle = judgeNodes(nodes);
  if (obstacle !== undefined) return fault(CHECK, obstacle, "stop them, or install the version between first");
  const parts = [`the next start changes the schema: ${missing.join(", ")}`];
  if (schema !== undefined && schema < SCHEMA_VERSION)
    parts.push(`it goes from version ${schema} to ${SCHEMA_VERSION}`);
  if (removing.length > 0)
    parts.push(`${removing.join(", ")} removes what version ${SCHEMA_VERSION - 1} does not need`);
  const isOnline = version.startsWith("PostgreSQL") && schema === SCHEMA_VERSION - 1;
  parts.push(isOnline ? `servers of version ${schema} go on beside it` : "no older server goes on beside it");
  return warning(CHECK, parts.join("; "), "make a backup before; `migrate --dry-run` shows each step");
}
