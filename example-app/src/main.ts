#!/usr/bin/env -S node --max-semi-space-size=8
import cluster from "node:cluster";
import { run } from "./program/run.js";

// what people would read costs nothing where nobody can read it: the disk is full, or the terminal was closed
process.stderr.on("error", () => undefined);

void run(process.argv.slice(2), process.env).then((code) => {
  process.exitCode = code;
  cluster.worker?.disconnect(); // an open channel to the parent would keep a worker alive
});
