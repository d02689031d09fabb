"use strict";

const { Buffer } = require("node:buffer");

/** Exported functions that are not tried, and why. */
const EXCUSED = {
  "the programmer writes what it takes": [
    ...[
      "apiTokenVerifier",
      "apiVersion",
      "compileNamespace",
      "compileOperations",
      "compileTrustedProxies",
      "compileWebfingerParser",
    ],
    ...[
      "createRequestSlot",
      "createServer",
      "expressRateLimit",
      "filter",
      "jwtVerifier",
      "keysetOrder",
      "methodNotAllowed",
    ],
    ...[
      "notFound",
      "operationCors",
      "patch",
      "protocolErrors",
      "rateLimiterFlexible",
      "rateLimitHeaders",
      "requireScopes",
    ],
    ...["queryBody", "resourceMetadata", "securityTxt", "serverTiming", "validate"],
    ...[
      "responseCheck",
      "sharedShapes",
      "suite",
      "webfingerError",
      "apiError",
      "compileApiError",
      "formatError",
      "formatErrorObject",
    ],
    ...["FieldDecimal", "FieldDisplayString", "FieldToken"],
    ...["formatDictionaryField", "formatItemField", "formatListField"],
    ...[
      "CursorError",
      "FilterError",
      "FollowPagesError",
      "PatchError",
      "errorFormatter",
      "formatDate",
      "compileFilterSchema",
    ],
  ],
  "it reads what Node's parser limits to 16 KiB, with functions that are tried here": [
    ...["authenticate", "bodyLength", "contentType", "httpsOnly", "pagination", "queryParameters", "requestContext"],
    ...["idempotency", "requestId", "utf8Guard", "weakEtag", "webfinger"],
  ],
  "it reads the body with functions that are tried here": ["jsonBody"],
  "it returns what a middleware has stored": [
    ...[
      "getApiVersion",
      "getEntityTag",
      "getFilter",
      "getNegotiatedType",
      "getPage",
      "getPatch",
      "getPrincipal",
      "getQuery",
    ],
    ...[
      "getRequestContext",
      "getRequestId",
      "tryGetApiVersion",
      "tryGetEntityTag",
      "tryGetFilter",
      "tryGetNegotiatedType",
    ],
    ...["tryGetPage", "tryGetPatch", "tryGetPrincipal", "tryGetQuery", "tryGetRequestContext", "tryGetRequestId"],
    ...["getIdempotencyKey", "tryGetIdempotencyKey", "getServerTiming"],
  ],
  "it makes a token of its own": ["createApiToken"],
  "it keeps what it is given by its key": ["memoryIdempotencyStore", "redisIdempotencyStore", "sqlIdempotencyStore"],
  "it reads an error of a library, and keeps 20 issues and 200 characters of each text": [
    ...["jwtErrors", "multerErrors", "pgErrors", "prismaErrors", "sqliteErrors", "zodErrors"],
  ],
  "it counts what the other functions report": ["createReports", "formatReport"],
  "it asks other servers, one page at a time": ["followPages"],
};

const OFFERED = ["application/json", "text/html"];
const LARGEST = { maxLength: 8_192, maxDepth: 32, maxTerms: 200 };

/** A value of JSON with `text` as a text, as names, and as elements. */
function valueOf(text) {
  const parts = text.match(/[^]{1,8}/g) ?? [];
  return { text, [text]: 0, names: Object.fromEntries(parts.map((part, index) => [`${part}${index}`, index])), parts };
}

/**
 * Every function of the package that takes text or JSON from others, as `{ name, run }`: `run(text)` calls it, and may
 * throw what the function throws. `names` are the exported names that are tried.
 *
 * @param load returns the door of a folder of `lib/`
 */
function createTargets(load) {
  const [http, json, net, text, filter, list, auth, webfinger, faults, factory] =
    "http json net text filter list auth webfinger faults factory".split(" ").map(load);
  const schema = filter.compileFilterSchema({
    attributes: { a: { type: "string", column: "a" }, "b.*": { type: "any", column: { column: "b", path: [] } } },
  });
  const codec = list.compileCursorCodec(["growth".repeat(8)]);
  const tags = http.compileEntityTags({ fields: ["text"] });
  const parseWebfinger = webfinger.compileWebfingerParser(factory.compileNamespace("growth"), ["acct:"]);
  const contains = net.compileIpRanges(["10.0.0.0/8"]);
  const org = {
    namespace: factory.compileNamespace("growth"),
    baseUrl: "https://a.example",
    title: "a",
    issuerRel: "both",
  };
  const order = [{ column: "name" }, { column: "id" }];
  const jsonLimits = { depth: 1_000, members: 50_000 };
  const parsed = (input) => filter.parseFilter(input.slice(0, LARGEST.maxLength), LARGEST);
  const request = (type) => ({ headers: { "content-type": type } });
  const one = (name, run, names = [name]) => ({ name, run, names });

  return [
    // text
    one("decodeUtf8", (input) => text.decodeUtf8(Buffer.from(input))),
    one("findTextFault", (input) => text.findTextFault(Buffer.from(input), 3)),
    one("findEncodedTextFault", (input) => text.findEncodedTextFault(input, 3)),
    one("isSupportedText", (input) => text.isSupportedText(input, 3)),
    one("formatPrintable", (input) => text.formatPrintable(input)),
    one("parseDate", (input) => text.parseDate(input)),
    one("isDate", (input) => text.isDate(input)),
    // net
    one("parseUserAgent", (input) => net.parseUserAgent(input)),
    one("parseForwarded", (input) => net.parseForwarded(input, 20)),
    one("parseForwardedFor", (input) => net.parseForwardedFor(input, 20)),
    one("parseForwardedProto", (input) => net.parseForwardedProto(input)),
    one("isLocalHost", (input) => net.isLocalHost(input)),
    one("parseAbsoluteForm", (input) => net.parseAbsoluteForm(`http://${input}`)),
    one("isOrigin", (input) => net.isOrigin(input)),
    one("formatOrigin", (input) => net.formatOrigin(input)),
    one("parseIpRange", (input) => net.parseIpRange(input)),
    one("compileIpRanges", (input) => contains(input)),
    // http
    one("parseMediaType", (input) => http.parseMediaType(input)),
    one("formatMediaType", (input) => http.formatMediaType({ type: "a/b", parameters: new Map([["a", input]]) })),
    one("isUtf8", (input) => http.isUtf8({ type: "a/b", parameters: new Map([["charset", input]]) })),
    one("selectMediaType", (input) => http.selectMediaType(input, OFFERED)),
    one("compileAccept", (input) => http.compileAccept(OFFERED)(input)),
    one("parseLanguages", (input) => http.parseLanguages(input)),
    one("parseLinkHeader", (input) => http.parseLinkHeader(input)),
    one("parseListField", (input) => http.parseListField(input)),
    one("parseDictionaryField", (input) => http.parseDictionaryField(input)),
    one("parseItemField", (input) => http.parseItemField(input)),
    one("findLink", (input) => http.findLink(http.parseLinkHeader(input), "next")),
    one("formatLinkHeader", (input) => http.formatLinkHeader("/a", "next", { title: input })),
    one("formatLink", (input) => http.formatLink(`/${input}`)),
    one("formatList", (input) =>
      http.formatList([{ id: input }, { id: "a" }], "https://a.example/users", ({ id }) => id),
    ),
    one("withLinks", (input) => http.withLinks({ id: input }, { self: { href: "/a" } })),
    one("formatPath", (input) => http.formatPath("/a", input)),
    one("encodeUri", (input) => http.encodeUri(input)),
    one("isLinkRelation", (input) => http.isLinkRelation(input)),
    one("isLinkTarget", (input) => http.isLinkTarget(input)),
    one("fieldLines", (input) => http.fieldLines(input.match(/[^]{1,8}/g) ?? [], "host")),
    one("parsePreconditions", (input) => http.parsePreconditions("GET", { "if-none-match": input })),
    one("parseQuery", (input) => http.parseQuery(input, { plus: "literal", maxBytesPerCharacter: 3 })),
    one("findEncodedDelimiter", (input) => http.findEncodedDelimiter(input)),
    one("isRequestId", (input) => http.isRequestId(input)),
    one("compileEntityTags", (input) => {
      tags.evaluate({ method: "PUT", headers: { "if-match": input } }, valueOf(input));
      return tags.format(valueOf(input));
    }),
    // json
    one("parseJson", (input) => json.parseJson(input)),
    one("parseJson of a text", (input) => json.parseJson(`{"\\n":1,"a":${JSON.stringify(input)}}`), []),
    one("parseJson of elements", (input) => json.parseJson(`[{"\\n":${input}1},${input}1]`), []),
    one("findBigInteger", (input) => json.findBigInteger(Buffer.from(`${input},"${input}`))),
    one("readJson", (input) => json.readJson(JSON.stringify([input, 1, input]), String)),
    one("findExcess", (input) => json.findExcess(Buffer.from(input), { depth: 1, members: 1_000_000 })),
    one("findJsonTextFault", (input) => json.findJsonTextFault(Buffer.from(input), 3)),
    one("findJsonSyntaxFault", (input) => json.findJsonSyntaxFault(Buffer.from(input))),
    one("findJsonSyntaxFault in a list", (input) => json.findJsonSyntaxFault(Buffer.from(`[${input}`)), []),
    one("formatJsonSyntaxFault", (input) =>
      json.formatJsonSyntaxFault(Buffer.from(input), { offset: input.length, expected: "a" }),
    ),
    one("locatePointer", (input) =>
      json.formatPlace(json.locatePointer(Buffer.from(input), Buffer.byteLength(input) - 1)),
    ),
    one("parsePointer", (input) => json.parsePointer(`/${input}`)),
    one("formatPointer", (input) => json.formatPointer(input.match(/[^]{1,2}/g) ?? [])),
    one("readPointer", (input) => json.readPointer({ a: [] }, input.match(/[^]{1,2}/g) ?? [])),
    one("parseJsonPatch", (input) => json.parseJsonPatch([{ op: "copy", from: `/${input}`, path: `/${input}` }], 10)),
    one("applyJsonPatch", (input) => {
      const touches = [
        { op: "copy", from: "/v", path: "/w" },
        { op: "add", path: "/w/x", value: 0 },
        { op: "add", path: "/v/parts/0", value: 0 },
      ];
      const patch = [
        { op: "add", path: "/v", value: valueOf(input) },
        ...Array.from({ length: 10 }, () => touches).flat(),
      ];
      return json.applyJsonPatch({}, json.parseJsonPatch(patch, 100));
    }),
    one("applyMergePatch", (input) => json.applyMergePatch(valueOf(input), { ...valueOf(input), a: { b: null } })),
    one("findForbiddenText", (input) => json.findForbiddenText(valueOf(input))),
    one("formatCanonical", (input) => json.formatCanonical(valueOf(input))),
    one("omitNull", (input) => JSON.stringify(valueOf(input), json.omitNull)),
    one("findExceededLimit", (input) => json.findExceededLimit(valueOf(input), { size: 1e9, ...jsonLimits })),
    // filter
    one("parseFilter", (input) => parsed(input)),
    one("parseFilter of a comparison", (input) => parsed(`a eq ${JSON.stringify(input)}`), []),
    one("formatFilter", (input) => filter.formatFilter(parsed(input))),
    one("checkFilter", (input) => filter.checkFilter(parsed(input), schema)),
    one("compileFilter", (input) =>
      filter.compileFilter(filter.checkFilter(parsed(`a co ${JSON.stringify(input)}`), schema), schema)({ a: input }),
    ),
    one("compileFilterSql", (input) =>
      filter.compileFilterSql(filter.checkFilter(parsed(input), schema), schema, { dialect: "sqlite" }),
    ),
    // lists, credentials, WebFinger, bodies
    one("compileCursorCodec", (input) => codec.decode(input, "after", { resource: "a" })),
    one("compareKeys", (input) => list.compareKeys([input, 1], [`${input}a`, 1], order)),
    one("keysetCondition", (input) => list.keysetCondition({ after: [input, 1] }, order)),
    one("selectRows", (input) =>
      list.selectRows([{ name: input, id: 1 }], { limit: 1 }, ({ name, id }) => [name, id], order),
    ),
    one("parseCredentials", (input) => auth.parseCredentials(input)),
    one("hashApiToken", (input) => auth.hashApiToken(input)),
    one("isApiToken", (input) => auth.isApiToken(input)),
    one("isIssuer", (input) => webfinger.isIssuer(input)),
    one("webfinger", (input) => parseWebfinger(input), []),
    one("formatJrd", (input) =>
      webfinger.formatJrd(parseWebfinger(`resource=acct:${encodeURIComponent(input)}`).query, ["org"], org),
    ),
    one("verifyUtf8", (input) =>
      faults.findBodyTextFault(Buffer.from(input), "application/json", { format: undefined, maxBytes: 3 }),
    ),
    one("createBodyVerifier", (input) =>
      faults.findBodyTextFault(Buffer.from(input), "application/x-www-form-urlencoded", {
        format: "form",
        maxBytes: 3,
      }),
    ),
    one("findCharsetFault", (input) => faults.findCharsetFault(request(input).headers["content-type"])),
  ];
}

/** Call a function with an input that it may refuse. What an argument of the wrong kind causes is not refused. */
function attempt(run, input) {
  try {
    run(input);
  } catch (error) {
    if (error instanceof RangeError || /is not (?:a function|iterable|defined)|Cannot read/.test(error.message))
      throw error;
  }
}

module.exports = { attempt, createTargets, EXCUSED };
