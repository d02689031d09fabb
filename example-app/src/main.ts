import { run } from "./cli.js";

void run(process.argv.slice(2), process.env).then((code) => {
  process.exitCode = code;
});
