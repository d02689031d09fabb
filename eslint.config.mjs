import js from "@eslint/js";
import tseslint from "typescript-eslint";

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

/** ESLint takes the last list that fits a file, so each names all that is forbidden there. */
const forbid = (files, ...rules) => ({
  files,
  rules: { "no-restricted-syntax": ["error", ...rules.flat().map(([selector, message]) => ({ selector, message }))] },
});

/** What the code of each place may not do. Who may import whom is in .dependency-cruiser.cjs. */
const places = [
  forbid(["index.ts"], LOGIC),
  forbid(["middleware/**/*.ts", "check/**/*.ts", "lib/server/**/*.ts", "example-app/src/store/**/*.ts"], STATE),
  forbid(["suite.ts", "lib/!(server)/**/*.ts"], STATE, CLOCKS),
  forbid(["example-app/src/*.ts", "example-app/src/!(store|discovery)/**/*.ts"], STATE, SQL),
  forbid(["example-app/src/discovery/**/*.ts"], STATE, SQL, CLOCKS),
  {
    files: ["suite.ts", "lib/**/*.ts", "middleware/**/*.ts", "check/**/*.ts", "example-app/src/**/*.ts"],
    rules: {
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
];

export default tseslint.config(
  {
    ignores: [
      "**/dist/",
      "**/node_modules/",
      "coverage/",
      "reports/",
      "test/package/consumers/",
      "example-app/console/src/api/openapi.d.ts",
      ".stryker-tmp/",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    ignores: ["example-app/console/**"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/dot-notation": "off",
      "no-control-regex": "off",
    },
  },
  {
    files: ["example-app/console/**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: "./example-app/console/tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/dot-notation": "off",
      // React ignores what handlers return
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", { max: 100, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ["test/**/*.ts", "example-app/test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  {
    files: ["**/*.js", "**/*.mjs", "**/*.cjs"],
    languageOptions: {
      globals: {
        module: "readonly",
        require: "readonly",
        process: "readonly",
        URL: "readonly",
        console: "readonly",
        fetch: "readonly",
        __dirname: "readonly",
      },
    },
  },
  ...places,
);
