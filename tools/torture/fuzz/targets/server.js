"use strict";

const { jsonText, jsonValue, mutate, texts, word } = require("../text.js");
const { ensure, ensureEqual, isOneOf } = require("../checks.js");
const { requireCompiled } = require("../../../kit/compiled.js");

const { parseProviderExpression, ProviderExpressionError } = requireCompiled("model/provider-expression.js");
const { readDocument } = requireCompiled("transfer/document.js");
const { parseCheckedJson } = requireCompiled("transfer/json.js");
const { findLines } = requireCompiled("transfer/lines.js");
const { formatPath } = requireCompiled("model/faults.js");
const { compileRouting } = requireCompiled("discovery/compile-routing.js");
const { foldIdentifier, matchesPattern } = requireCompiled("discovery/identifier.js");
const { parseCommandLine } = requireCompiled("program/command-line.js");
const { SettingsError } = requireCompiled("program/settings/settings.js");

const SEPARATORS = ["@", ".", "@example.com", "é", " "];
const MATCH_TYPES = ["SUFFIX", "EQUALS", "STARTS_WITH", "CONTAINS"];
const LOGINS = [
  "joe@example.com",
  "Joe@Sub.Example.com",
  "joe@xn--bcher-kva.example",
  "ΣΑΣ@ς.example",
  "",
  "a",
  "@",
  ".com",
];

function expression(random) {
  const call = () =>
    random.isLikely(0.3)
      ? ".toLowerCase()"
      : `.${random.pick(["substringBefore", "substringAfter"])}('${random.pick(SEPARATORS)}')`;
  return `login.identifier${random.list(0, 9, call).join("")}`;
}

/** An org of an import file, of which a part may be anything. */
function document(random) {
  const anything = (sound) => (random.isLikely(0.9) ? sound : jsonValue(random, 2, true));
  const pattern = () => ({ matchType: random.pick(MATCH_TYPES), value: anything(word(random)) });
  const rule = () => ({
    name: anything(word(random)),
    conditions: anything({ userIdentifier: { type: "IDENTIFIER", patterns: random.list(0, 4, pattern) } }),
    actions: anything({ idp: { providers: [anything({ type: "SVC" })] } }),
  });
  const zone = () => ({ name: word(random), gateways: anything([{ type: "CIDR", value: anything("192.0.2.0/24") }]) });
  const user = () => ({
    profile: anything({ login: word(random), email: "a@b.example", firstName: "A", lastName: anything("B") }),
  });
  const org = () => ({
    subdomain: anything(word(random).toLowerCase()),
    name: anything("Acme"),
    domains: anything(["id.a.example"]),
    rules: anything(random.list(0, 4, rule)),
    zones: anything(random.list(0, 3, zone)),
    users: anything(random.list(0, 3, user)),
    ...(random.isLikely(0.1) && { [word(random)]: jsonValue(random) }),
  });
  return { orgs: anything(random.list(0, 3, org)) };
}

function pattern(random) {
  const login = random.pick(LOGINS);
  const from = random.integer(login.length + 1);
  return { matchType: random.pick(MATCH_TYPES), value: random.isLikely(0.8) ? login.slice(from) : word(random) };
}

function createRule(patterns, index) {
  return {
    id: String(index),
    name: String(index),
    status: "ACTIVE",
    system: false,
    priority: index,
    conditions: { userIdentifier: { type: "IDENTIFIER", patterns } },
    actions: { idp: { providers: [{ type: "SVC" }] } },
  };
}

const argument = (random) =>
  random.pick([
    "--port",
    "--port=80",
    "--http",
    "--trusted-proxies=loopback",
    "--namespace",
    "token",
    "create",
    "--org",
    "a",
    "--log-level=x",
    "import",
    "--help",
    "--",
    "-p",
  ]);

module.exports = [
  {
    name: "provider-expression",
    generate: texts(expression, [".", "(", ")", "'", "toLowerCase()", "substringBefore('"]),
    allows: isOneOf(ProviderExpressionError),
    check(text) {
      try {
        ensure(parseProviderExpression(text).length <= 8, "calls are few");
      } catch (error) {
        if (!(error instanceof ProviderExpressionError)) throw error;
        ensure(error.offset >= 0 && error.offset <= text.length, "a fault lies in the text", () => error.offset);
      }
    },
  },
  {
    name: "import/text",
    generate: texts(jsonText, ["{", "}", "[", '"', ":", ",", "//", "/*"]),
    check(text) {
      const { value, faults } = parseCheckedJson(text);
      ensure(value !== undefined || faults.length > 0, "a text that is refused has a fault");
      if (value === undefined) return;
      // JSON.parse of Node 24 and 26 misreads names with an escape (nodejs/node#63785)
      if (!text.includes("\\")) ensureEqual(value, JSON.parse(text), "the value is that of the parser");
      const paths = [["orgs", 0, "name"], ["a"], []];
      ensure(
        findLines(text, paths).every((line) => line >= 1),
        "each place has a line",
      );
    },
  },
  {
    name: "import/document",
    generate: (random) => (random.isLikely(0.95) ? document(random) : jsonValue(random, 4, true)),
    check(value) {
      const faults = [];
      const orgs = readDocument(value, "SVC", (path, reason) => faults.push([formatPath(path), reason]));
      ensure(Array.isArray(orgs), "orgs are a list");
      ensure(
        faults.every(([, reason]) => typeof reason === "string" && reason !== ""),
        "a fault has a reason",
        () => JSON.stringify(faults),
      );
    },
  },
  {
    name: "routing",
    generate: (random) => ({
      rules: random.list(0, 8, (_, index) =>
        createRule(
          random.list(1, 5, () => pattern(random)),
          index,
        ),
      ),
      login: random.isLikely(0.7) ? random.pick(LOGINS) : mutate(random, random.pick(LOGINS)),
    }),
    check({ rules, login }) {
      const answer = compileRouting({ rules, idps: [], zones: [] })({ login, lookupProfile: () => undefined });
      const text = foldIdentifier(login);
      const matches = ({ conditions }) =>
        conditions.userIdentifier.patterns.some((one) =>
          matchesPattern({ ...one, value: foldIdentifier(one.value) }, text),
        );
      const expected = login === "" ? undefined : rules.find(matches);
      ensureEqual(answer.rule.id, expected?.id ?? "default", "the index finds the rule that a search finds");
    },
  },
  {
    name: "command-line",
    generate: (random) => random.list(0, 5, () => texts(argument)(random)),
    allows: isOneOf(SettingsError),
    check(args) {
      ensure(typeof parseCommandLine(args, {}).name === "string", "a command has a name");
    },
  },
];
