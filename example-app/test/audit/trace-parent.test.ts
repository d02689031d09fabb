import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { parseTraceId } from "../../src/audit/trace-parent.js";
import { call, startTestServer, webfingerPath } from "../support/server.js";
import { makeFolder } from "../support/stores.js";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const VALID = `00-${TRACE}-00f067aa0ba902b7-01`;

describe("parseTraceId()", () => {
  it.each([
    ["version 00", VALID],
    ["flags that it does not know", `00-${TRACE}-00f067aa0ba902b7-ff`],
    ["a later version", `cc-${TRACE}-00f067aa0ba902b7-01`],
    ["a later version with more fields", `cc-${TRACE}-00f067aa0ba902b7-01-what-the-future-will-be`],
  ])("takes the trace from %s", (_title, field) => {
    expect(parseTraceId(field)).toBe(TRACE);
  });

  it.each([
    ["nothing", undefined],
    ["an empty field", ""],
    ["two fields", `${VALID}, ${VALID}`],
    ["two fields as a list", [VALID, VALID]],
    ["version 00 with more fields", `${VALID}-x`],
    ["a later version with something appended", `cc-${TRACE}-00f067aa0ba902b7-01x`],
    ["version ff", `ff-${TRACE}-00f067aa0ba902b7-01`],
    ["capitals", VALID.toUpperCase()],
    ["a trace of zeros", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`],
    ["a parent of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["a trace that is too short", `00-${TRACE.slice(1)}-00f067aa0ba902b7-01`],
    ["a trace that is too long", `00-${TRACE}0-00f067aa0ba902b7-01`],
    ["no flags", `00-${TRACE}-00f067aa0ba902b7`],
    ["other characters", `00-${TRACE.replace("4", "g")}-00f067aa0ba902b7-01`],
    ["white space", ` ${VALID}`],
    ["a new line", `${VALID}\n`],
  ])("takes none from %s", (_title, field) => {
    expect(parseTraceId(field)).toBeUndefined();
  });
});

const parent = makeFolder();

test("the line of a request has the trace of its traceparent, and no other text of that field", async () => {
  const server = await startTestServer({ options: { dataFolder: mkdtempSync(join(parent, "data-")) } });
  const path = webfingerPath("joe@example.com");
  await call(server, path, { headers: { traceparent: VALID } });
  await call(server, path, { headers: { traceparent: [VALID, VALID] } });
  await call(server, path, { headers: { traceparent: "joe" } });
  await call(server, path, { method: "TRACE", headers: { traceparent: VALID } });
  await server.close();
  const lines = server.lines.filter(({ msg }) => String(msg).startsWith("request"));
  expect(lines.map(({ traceId }) => traceId)).toEqual([TRACE, undefined, undefined, TRACE]);
});
