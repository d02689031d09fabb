"use strict";

/** Texts that slow parsers down, each made of one part that is repeated. */

/** Each delimiter, escape and near miss of a grammar of the package. */
const REPEATED = [
  ..."aZ0 \t\n\r\"'\\/%+&=;,:<>()[]{}*?#@!|.-~_^`\0\x7f",
  ...[
    "é",
    "日",
    "😀",
    "\ud83d",
    "\u202e",
    "%41",
    "%C3%A9",
    "%",
    "%zz",
    '\\"',
    "\\\\",
    '\\"',
    "\\u0061",
    "\\ud83d",
    '""',
    '"\\"',
  ],
  ...[
    "[]",
    "{}",
    "{},",
    "[[",
    '{"a":',
    '"a":1,',
    '{"\\n":1},',
    "1,",
    "-",
    "1e5,",
    " , ",
    ", ,",
    ";;",
    "; ;",
    "a;",
    "a,",
    "a=b;",
    'a="b";',
  ],
  ...[
    "*/*,",
    "a/b;q=0.5,",
    "text/html;x=y,",
    "*/*;q=0.1;x=1,",
    "en,",
    "en-",
    "a-b-c,",
    "<a>,",
    "<a>;",
    '<a>; rel="b", ',
    '<a>; rel="',
    "<",
    "<<a>",
  ],
  ...[
    '"a",',
    'W/"a",',
    'W/"',
    "for=1.1.1.1,",
    'for="[::1]",',
    "1.1.1.1,",
    "1.1.1.1, ",
    "::",
    "[::1]",
    "1:",
    "a.",
    "xn--a.",
    "xn--",
    "10.0.0.0/8,",
  ],
  ...[
    "Chrome/1 ",
    "Mozilla/5.0 ",
    "(a;",
    "Version/1 Safari/1 ",
    "Edg/",
    "and ",
    "not (",
    "(a eq 1) or ",
    'a eq "b" and ',
    "((",
    "a pr or ",
    "a.b",
    "~0",
    "~1",
    "/a",
    "/~",
  ],
  ...[
    "__proto__",
    "Bearer ",
    "svc:acct:",
    "acct:a@b&",
    "resource=a&",
    "rel=a&",
    "2026-01-31T08:00:00.000Z",
    "9",
    "00",
    "=",
    "eyJ.",
  ],
];

/** What a part may stand behind and before, so that a parser comes so far. */
const FRAMES = [
  ["", ""],
  ['"', '"'],
  ["a/b;a=", ""],
  ["<", ">"],
];

/**
 * Each shape as `{ name, isFramed, make }`; `make(length)` is a text of about so many characters.
 */
const shapes = REPEATED.flatMap((part) =>
  FRAMES.map(([before, after]) => ({
    name: JSON.stringify(`${before}${part}…${after}`),
    isFramed: before + after !== "",
    make: (length) => before + part.repeat(Math.max(1, Math.floor(length / part.length))) + after,
  })),
);

module.exports = { shapes };
