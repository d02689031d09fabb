import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../../store/contract/errors.js";
import type { Settings } from "../settings/settings.js";
import { fault, ok, warning, type Finding } from "./finding.js";

const CHECK = "data folder";

/** The bits of the group and of others. */
const FOREIGN_BITS = 0o077;

/** What everybody may read: the certificate that clients trust. */
const PUBLIC_FILE = "tls.crt";

/** Check who can read and write the data folder and its files. */
export async function checkFolder({
  dataFolder,
  databaseUrl,
  secrets,
}: Pick<Settings, "dataFolder" | "databaseUrl" | "secrets">): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (databaseUrl !== undefined && secrets.length === 0) {
    const text = "the secret is in this folder, and other nodes on the database have others";
    findings.push(warning(CHECK, text, "give all nodes the same --secrets; ignore this if there is one node"));
  }
  const problem = await findProblem(dataFolder);
  if (problem === "absent") return [...findings, ok(CHECK, `${dataFolder} does not exist; the first start creates it`)];
  if (problem)
    return [
      ...findings,
      fault(CHECK, problem, "give it to the user who runs the server, or choose another with --data"),
    ];

  for (const name of ["", ...(await readdir(dataFolder))].filter((each) => each !== PUBLIC_FILE)) {
    const path = join(dataFolder, name);
    const { mode } = await stat(path);
    if ((mode & FOREIGN_BITS) === 0) continue;
    const wanted = name === "" ? "700" : "600";
    findings.push(
      fault(CHECK, `others can use ${path} (mode ${(mode & 0o777).toString(8)})`, `chmod ${wanted} ${path}`),
    );
  }
  return findings.length > 0 ? findings : [ok(CHECK, `${dataFolder} is for this user only`)];
}

/** What prevents the server from writing in the folder; `absent` when it could be made. */
async function findProblem(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is no folder`;
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return messageOf(error);
    if (parent === folder) return messageOf(error);
    const above = await findProblem(parent);
    return above === undefined || above === "absent" ? "absent" : above;
  }
}
