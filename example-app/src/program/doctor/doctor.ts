import { checkCertificate } from "./certificate.js";
import { checkClock } from "./clock.js";
import { checkDatabase } from "./database.js";
import type { Finding } from "./finding.js";
import { checkFolder } from "./folder.js";
import { checkNames } from "./names.js";
import { checkPorts } from "./ports.js";
import { checkProxies } from "./proxies.js";
import { checkReplica } from "./replica.js";
import { checkRules } from "./rules.js";
import { checkSettings } from "./settings.js";
import { checkSnapshot, checkSpool } from "./kept.js";
import { checkTurns } from "./turns.js";
import type { ReadSettings } from "../settings/read.js";
import type { Settings } from "../settings/settings.js";

/** The doctor found a fault. It has been told already. */
export class DoctorError extends Error {
  override readonly name = "DoctorError";
}

const LEVEL_WIDTH = "warning".length + 2;
const CHECK_WIDTH = "data folder".length + 2;

/** Check all that a server with these settings depends on. It changes nothing, and may run beside the server. */
export async function examine(settings: Settings, given: ReadSettings["given"]): Promise<Finding[]> {
  const { findings: database, inspection } = await checkDatabase(settings);
  return [
    ...(await checkSettings(given)),
    ...database,
    ...(await checkReplica(settings, inspection)),
    ...(await checkRules(settings, inspection)),
    ...(await checkFolder(settings)),
    ...(await checkSnapshot(settings)),
    ...(await checkSpool(settings)),
    ...(await checkCertificate(settings)),
    await checkClock(inspection, settings.dataFolder),
    ...(await checkNames(settings.baseDomain)),
    ...checkProxies(settings),
    ...(await checkPorts(settings)),
    await checkTurns(settings),
  ];
}

/** A line for each finding, and one for what to do about it. */
export function formatFindings(findings: readonly Finding[]): string {
  return findings
    .map(({ level, check, text, remedy }) => {
      const line = level.padEnd(LEVEL_WIDTH) + check.padEnd(CHECK_WIDTH) + text;
      return remedy === undefined ? line : `${line}\n${" ".repeat(LEVEL_WIDTH + CHECK_WIDTH)}→ ${remedy}`;
    })
    .join("\n");
}

/** @throws {DoctorError} when there is a fault */
export function assertHealthy(findings: readonly Finding[]): void {
  const faults = findings.filter(({ level }) => level === "fault").length;
  if (faults > 0) throw new DoctorError(`${faults} ${faults === 1 ? "fault" : "faults"}`);
}
