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
const MODULE_STATE = ["Program > VariableDeclaration[kind!='const']", "A module holds no state that changes."];
const EXPORTED_STATE = ["ExportNamedDeclaration > VariableDeclaration[kind!='const']", MODULE_STATE[1]];

const forbid = (...rules) => ["error", ...rules.map(([selector, message]) => ({ selector, message }))];

/** What the code of each place may not do. Who may import whom is in .dependency-cruiser.cjs. */
const places = [
  {
    files: ["index.ts", "suite.ts", "lib/**/*.ts", "middleware/**/*.ts", "example-app/src/**/*.ts"],
    rules: { "no-restricted-syntax": forbid(MODULE_STATE, EXPORTED_STATE) },
  },
  {
    files: ["suite.ts", "lib/**/*.ts", "middleware/**/*.ts"],
    rules: { "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ["suite.ts", "lib/**/*.ts", "example-app/src/discovery/**/*.ts"],
    ignores: ["lib/server/**"],
    rules: { "no-restricted-syntax": forbid(...CLOCKS, MODULE_STATE, EXPORTED_STATE) },
  },
  {
    files: ["index.ts"],
    rules: {
      "no-restricted-syntax": forbid(["Program > :not(ExportNamedDeclaration[source])", "index.ts only re-exports."]),
    },
  },
  {
    files: ["example-app/src/**/*.ts"],
    ignores: ["example-app/src/store/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.property.name=/^(selectFrom|insertInto|updateTable|deleteFrom)$/]",
          message: "store/ has all SQL, in named functions.",
        },
      ],
    },
  },
];

export default tseslint.config(
  { ignores: ["**/dist/", "**/node_modules/", "coverage/", "reports/", "test/package/consumers/", ".stryker-tmp/"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
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
        console: "readonly",
        __dirname: "readonly",
      },
    },
  },
  ...places,
);
