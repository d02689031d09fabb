"use strict";

/**
 * A process that asks a server WebFinger questions as often as it is told to: for some seconds, or `amount` times.
 * Tells how many were answered; it ends when one fails.
 */
const autocannon = require("autocannon");
const { QUESTIONS } = require("./questions.js");

const CONNECTIONS = 32;

/** In milliseconds: how often it looks whether the time is over. */
const INTERVAL = 100;

process.on("disconnect", () => process.exit());
process.on("message", async ({ url, seconds, amount, pipelining = 1 }) => {
  const { errors, non2xx, requests } = await autocannon({
    url,
    connections: CONNECTIONS,
    pipelining,
    sampleInt: INTERVAL,
    requests: QUESTIONS,
    ...(amount === undefined ? { duration: seconds } : { amount }),
  });
  if (errors + non2xx > 0) throw new Error(`${errors + non2xx} requests failed`);
  process.send({ requests: requests.total });
});
