import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** Who may import whom; CONTRIBUTING.md has the same as a table. The server's layers are in .dependency-cruiser.cjs. */
const rooms = [
  {
    files: ["lib/**/*.ts"],
    ignores: ["lib/server/*.ts", "lib/auth/*-verifier.ts", "lib/errors/api-error.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^(?!\\.{1,2}/|node:(crypto|net|buffer)$)",
              message: "lib/ is pure: only lib/ itself and node:crypto, node:net, node:buffer.",
            },
            {
              regex: "/(middleware|example-app)/",
              message: "lib/ does not know who uses it.",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["middleware/**/*.ts"],
    rules: {
      "@typescript-eslint/no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^express",
              message: "Only `import type`: a middleware runs on the application's own express.",
              allowTypeImports: true,
            },
            {
              regex: "^\\./",
              message: "Middlewares do not know each other; share a pure function in lib/.",
            },
            {
              regex: "^(?!\\.\\./lib/|\\./|node:|express|cors$|jose$)",
              message: "middleware/ imports ../lib/*, node: and cors; an error is made with apiError of lib/errors.",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["index.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^(?!\\./((middleware|lib)/|suite\\.js$))",
              message: "index.ts only re-exports.",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["example-app/src/**/*.ts"],
    ignores: [
      "example-app/src/store/**",
      // still to move
      "example-app/src/rest/records.ts",
      "example-app/src/resources/{api-tokens,idps,policies,rules}.ts",
    ],
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
  ...rooms,
);
