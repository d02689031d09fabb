#!/usr/bin/env node
import path from "node:path";
import { runCommand } from "./command.js";

// a reader that stops early, such as head, ends no run: it restores what it wrote
process.stdout.on("error", () => undefined);

const terminal = {
  env: process.env,
  out: (text: string) => void process.stdout.write(text),
  error: (text: string) => void process.stderr.write(text),
  page: path.join(__dirname, "../../docs/reference/check.md"),
};

void runCommand(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
