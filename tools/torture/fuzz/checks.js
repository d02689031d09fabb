"use strict";

const { isDeepStrictEqual } = require("node:util");

/** What was tried returned something that it must not return. */
class Violation extends Error {
  name = "Violation";
}

/** @param explain completes the message; called only for a violation */
function ensure(holds, rule, explain = () => "") {
  if (holds) return;
  throw new Violation(`${rule} ${explain()}`.trim());
}

function ensureEqual(found, expected, rule) {
  ensure(
    found === expected || isDeepStrictEqual(found, expected),
    rule,
    () => `${show(found)} is not ${show(expected)}`,
  );
}

/** Whether one of these classes made the error. */
function isOneOf(...classes) {
  return (error) => classes.some((one) => error instanceof one);
}

function show(value) {
  return typeof value === "string" ? JSON.stringify(value) : JSON.stringify({ value })?.slice(9, -1);
}

module.exports = { ensure, ensureEqual, isOneOf, show, Violation };
