"use strict";

/**
 * A process that asks a server WebFinger questions, or sends other `requests` in turn, as often as it is told to: for some
 * seconds, or `amount` times. `unseen` asks for another person each time. Tells how many were answered; it ends when one fails.
 */
const autocannon = require("autocannon");
require("../../kit/probe.js");
const { createQuestioner, QUESTIONS } = require("./questions.js");

const CONNECTIONS = 32;

/** In milliseconds: how often it looks whether the time is over. */
const INTERVAL = 100;

process.channel.ref(); // it lives as long as it may be told something
process.on("message", async ({ url, seconds, amount, pipelining = 1, requests: given = QUESTIONS, unseen = false }) => {
  if (url === undefined) return; // the probe answers
  const { errors, non2xx, requests } = await autocannon({
    url,
    connections: CONNECTIONS,
    pipelining,
    sampleInt: INTERVAL,
    ...(unseen
      ? { requests: [{ setupRequest: createQuestioner() }] }
      : { requests: given, ...(pipelining === 1 && { setupClient: startElsewhere(given) }) }),
    ...(amount === undefined ? { duration: seconds } : { amount }),
  });
  if (errors + non2xx > 0) throw new Error(`${errors + non2xx} requests failed`);
  process.send({ requests: requests.total });
});

/** Each connection begins at another of the requests, or all would send the same at a time. Not with pipelining. */
function startElsewhere(requests) {
  let next = 0;
  return (client) => {
    const first = Math.floor((requests.length * next) / CONNECTIONS) % requests.length;
    next += 1;
    client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
  };
}
