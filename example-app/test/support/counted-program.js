"use strict";

/**
 * `node counted-program.js FOLDER …` runs the program that program-file.js has made in the folder. Every message asks for the
 * steps of our code and of what it calls in JavaScript since the one before. The more code a process has, the longer they take
 * to count: here is the program's alone.
 */
const { Session } = require("node:inspector");
const { resolve } = require("node:path");

const root = resolve(__dirname, "../../..");

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

process.on("message", () => {
  session.post("Profiler.takePreciseCoverage", (error, { result }) => {
    if (error) throw error;
    process.send(result.filter(({ url }) => url.includes(root) && !url.includes(__dirname)).reduce(sumOf, 0));
  });
});

function sumOf(sum, { functions }) {
  return functions.reduce((all, { ranges }) => ranges.reduce((part, { count }) => part + count, all), sum);
}

const [folder] = process.argv.splice(2, 1);
require("./program-file.js").run(folder, { isKept: false }); // loops are counted only in what is compiled from now on
