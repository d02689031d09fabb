/** What `lib/` takes as an argument: the time and what is random. Sockets, timers and clocks are in lib/server only. */
const CLOCKS = [
  ["CallExpression[callee.object.name='Date'][callee.property.name='now']", "Take the time as an argument (`now`)."],
  ["NewExpression[callee.name='Date'][arguments.length=0]", "Take the time as an argument (`now`)."],
  ["CallExpression[callee.object.name='performance']", "Take the time as an argument (`now`)."],
  ["CallExpression[callee.object.name='Math'][callee.property.name='random']", "Take the randomness as an argument."],
  ["CallExpression[callee.name=/^random(Bytes|UUID|Int|FillSync|Fill)$/]", "Take the randomness as an argument."],
  ["CallExpression[callee.name=/^(set(Timeout|Interval|Immediate)|queueMicrotask)$/]", "Timers are lib/server's."],
];

/** Two requests must not meet in a variable. A cache is made by `memoize`. */
const STATE = [
  ["Program > VariableDeclaration[kind!='const']", "A module holds no state that changes."],
  ["ExportNamedDeclaration > VariableDeclaration[kind!='const']", "A module holds no state that changes."],
];

const SQL = [
  [
    "CallExpression[callee.property.name=/^(selectFrom|insertInto|updateTable|deleteFrom)$/]",
    "store/ has all SQL, in named functions.",
  ],
];

const LOGIC = [["Program > :not(ExportNamedDeclaration[source])", "index.ts only re-exports."]];

/** The last list that fits a file holds, so each names all that is forbidden there. */
const forbid = (files, excludeFiles, ...lists) => ({
  files,
  excludeFiles,
  rules: { "house/restricted-syntax": ["error", ...lists.flat()] },
});

/** What the code of each place may not do. Who may import whom is in .dependency-cruiser.cjs. */
const places = [
  forbid(["index.ts"], ["*/**"], LOGIC),
  forbid(["middleware/**/*.ts", "check/**/*.ts", "lib/server/**/*.ts", "example-app/src/store/**/*.ts"], [], STATE),
  forbid(["suite.ts", "suite-options.ts", "lib/**/*.ts"], ["*/**/suite.ts", "lib/server/**"], STATE, CLOCKS),
  forbid(["example-app/src/**/*.ts"], ["example-app/src/{store,discovery}/**"], STATE, SQL),
  forbid(["example-app/src/discovery/**/*.ts"], [], STATE, SQL, CLOCKS),
];

const SOURCES = [
  "suite.ts",
  "suite-options.ts",
  "lib/**/*.ts",
  "middleware/**/*.ts",
  "check/**/*.ts",
  "example-app/src/**/*.ts",
];

/** Limits of a file and of a function, in lines. */
const size = (files, lines, linesOfFunction) => ({
  files,
  rules: {
    "max-lines": ["error", lines],
    "max-lines-per-function": ["error", { max: linesOfFunction, skipBlankLines: true, skipComments: true }],
  },
});

const all = (severity, prefix, names) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [`${prefix}${name}`, severity]),
  );

/** The rules of every file. */
const JAVASCRIPT = all(
  "error",
  "",
  `constructor-super for-direction getter-return no-async-promise-executor no-case-declarations no-class-assign
  no-compare-neg-zero no-cond-assign no-const-assign no-constant-binary-expression no-constant-condition no-debugger
  no-delete-var no-dupe-class-members no-dupe-else-if no-dupe-keys no-duplicate-case no-empty no-empty-character-class
  no-empty-pattern no-empty-static-block no-ex-assign no-extra-boolean-cast no-fallthrough no-func-assign no-global-assign
  no-import-assign no-invalid-regexp no-irregular-whitespace no-loss-of-precision no-misleading-character-class
  no-new-native-nonconstructor no-nonoctal-decimal-escape no-obj-calls no-prototype-builtins no-regex-spaces
  no-self-assign no-setter-return no-shadow-restricted-names no-sparse-arrays no-this-before-super no-unassigned-vars
  no-undef no-unexpected-multiline no-unreachable no-unsafe-finally no-unsafe-negation no-unsafe-optional-chaining
  no-unused-labels no-unused-private-class-members no-useless-assignment no-useless-backreference no-useless-catch
  no-useless-escape no-with preserve-caught-error require-yield use-isnan valid-typeof`,
);

/** What the compiler itself tells of TypeScript. */
const COMPILED = all(
  "off",
  "",
  `constructor-super getter-return no-class-assign no-const-assign no-dupe-class-members no-dupe-keys no-func-assign
  no-import-assign no-new-native-nonconstructor no-obj-calls no-setter-return no-this-before-super no-undef
  no-unreachable no-unsafe-negation no-with`,
);

const TYPESCRIPT = {
  ...COMPILED,
  ...all(
    "error",
    "",
    `no-var prefer-const prefer-rest-params prefer-spread no-array-constructor no-unused-expressions
    no-useless-constructor no-empty-function`,
  ),
  ...all(
    "error",
    "typescript/",
    `adjacent-overload-signatures array-type await-thenable ban-tslint-comment class-literal-property-style
    consistent-generic-constructors consistent-indexed-object-style consistent-type-assertions
    consistent-type-definitions consistent-type-imports no-array-delete no-base-to-string
    no-confusing-non-null-assertion no-confusing-void-expression no-deprecated no-duplicate-enum-values
    no-duplicate-type-constituents no-dynamic-delete no-empty-object-type no-explicit-any no-extra-non-null-assertion
    no-extraneous-class no-floating-promises no-for-in-array no-generated-empty-object-type no-implied-eval
    no-inferrable-types no-invalid-void-type no-meaningless-void-operator no-misused-new no-misused-promises
    no-misused-spread no-mixed-enums no-namespace no-non-null-asserted-nullish-coalescing
    no-non-null-asserted-optional-chain no-non-null-assertion no-redundant-type-constituents no-require-imports
    no-this-alias no-unnecessary-boolean-literal-compare no-unnecessary-condition no-unnecessary-template-expression
    no-unnecessary-type-arguments no-unnecessary-type-assertion no-unnecessary-type-constraint
    no-unnecessary-type-conversion no-unnecessary-type-parameters no-unsafe-argument no-unsafe-assignment
    no-unsafe-call no-unsafe-declaration-merging no-unsafe-enum-comparison no-unsafe-function-type
    no-unsafe-member-access no-unsafe-return no-unsafe-unary-minus no-useless-default-assignment
    no-wrapper-object-types non-nullable-type-assertion-style only-throw-error prefer-as-const prefer-find prefer-for-of
    prefer-function-type prefer-includes prefer-literal-enum-member prefer-namespace-keyword prefer-nullish-coalescing
    prefer-optional-chain prefer-promise-reject-errors prefer-reduce-type-parameter prefer-regexp-exec
    prefer-return-this-type prefer-string-starts-ends-with related-getter-setter-pairs require-await
    triple-slash-reference unbound-method unified-signatures use-unknown-in-catch-callback-variable`,
  ),
  "typescript/ban-ts-comment": ["error", { minimumDescriptionLength: 10 }],
  "typescript/restrict-plus-operands": [
    "error",
    { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
  ],
  "typescript/restrict-template-expressions": ["error", { allowNumber: true }],
  "typescript/return-await": ["error", "error-handling-correctness-only"],
};

export default {
  plugins: ["typescript"],
  jsPlugins: ["./tools/lint/restricted-syntax.mjs"],
  categories: { correctness: "off" },
  ignorePatterns: [
    "**/dist/",
    "coverage/",
    "docs/examples/", // as users write them; test/types compiles them
    "reports/",
    "test/package/consumers/",
    "example-app/console/src/api/openapi.d.ts",
    ".stryker-tmp/",
  ],
  rules: {
    ...JAVASCRIPT,
    "no-redeclare": ["error", { builtinGlobals: false }],
    "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
  },
  overrides: [
    { files: ["**/*.{ts,tsx}"], rules: TYPESCRIPT },
    {
      files: ["example-app/console/**/*.{ts,tsx}"],
      // React ignores what handlers return
      rules: { "typescript/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }] },
    },
    {
      files: ["test/**/*.ts", "example-app/test/**/*.ts"],
      rules: {
        ...all("off", "typescript/", "no-unsafe-assignment no-unsafe-member-access no-unsafe-argument no-unsafe-call"),
        ...all("off", "typescript/", "no-unsafe-return no-non-null-assertion"),
      },
    },
    {
      files: ["example-app/src/transfer/*.ts"],
      // a function of one kind K reads and writes what belongs to K in its body, see transfer/kind.ts
      rules: { "typescript/no-unnecessary-type-parameters": "off" },
    },
    {
      files: ["**/*.{js,mjs,cjs}"],
      globals: all("readonly", "", "module require process URL console fetch __dirname"),
    },
    { files: ["site/.vitepress/theme/*.js"], env: { browser: true } },
    size(SOURCES, 300, 60),
    size(["example-app/console/**/*.{ts,tsx}"], 300, 100),
    ...places,
  ],
};
