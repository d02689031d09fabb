import type { LogEvent } from "../../console/src/api/types.js";
import { toCsv } from "../../console/src/pages/log/csv.js";
import { LOG_EVENT, logEntity } from "../support/log-event.js";

const FACTS = { accountPrefix: "acct:", orgName: "Demo" };

const rowOf = (changes: Partial<LogEvent>) => toCsv([{ ...LOG_EVENT, ...changes }], FACTS).split("\r\n")[1];

describe("The CSV of the log", () => {
  it("has a line of names and a line for each event, which end with CR LF", () => {
    expect(toCsv([LOG_EVENT], FACTS)).toBe(
      [
        "time,severity,type,sentence,actor,actor id,targets,address,outcome,reason,request id\r\n",
        "2026-01-05T09:00:00.000Z,INFO,policy.rule.deactivate,The token CI switched the rule Partners off,",
        "CI,id-CI,Partners; Policy,192.0.2.7,SUCCESS,,r1\r\n",
      ].join(""),
    );
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\uff1d1", "\uff0b1", "\uff0d1", "\uff20SUM(A1)"])(
    "makes no formula of %j",
    (name) => {
      expect(rowOf({ actor: logEntity("ApiToken", name) })).toContain(`,'${name.replace("\t", "\\u0009")},`);
    },
  );

  it("makes no formula where a comma is the decimal sign, and a cell begins after each semicolon", () => {
    expect(rowOf({ actor: logEntity("ApiToken", "Ann;=1+1; -1;+1") })).toContain(",Ann;'=1+1; -1;'+1,");
  });

  it("quotes commas, quotes and breaks of lines", () => {
    expect(rowOf({ outcome: { result: "FAILURE", reason: 'E1: "no", never' } })).toContain(',"E1: ""no"", never",');
  });

  it("has the message of an event whose type has no sentence", () => {
    expect(rowOf({ eventType: "new.type" })).toContain(",new.type,Deactivate PolicyRule,");
  });
});
