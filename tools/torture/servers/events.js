"use strict";

const { URLSearchParams } = require("node:url");
const { linkOf } = require("./client.js");

const CHANGES = ["user.lifecycle.create", "user.account.update_profile"];

/** The events of these types since an instant, oldest first: `{ type, request, target }`. Without types: changes of users. */
async function readChanges(client, since, types = CHANGES) {
  const filter = types.map((type) => `eventType eq "${type}"`).join(" or ");
  const events = [];
  const until = new Date(Date.now() + 60_000).toISOString();
  const query = new URLSearchParams({ since: since.toISOString(), until, limit: "1000", filter });
  for (let path = `/api/v1/logs?${query}`; path !== undefined;) {
    const response = await client.send(path);
    if (response.status !== 200) throw new Error(`the log is ${response.status}: ${response.text}`);
    for (const { eventType, transaction, target } of response.body) {
      events.push({ type: eventType, request: transaction.id, target: target[0].id });
    }
    path = response.body.length === 0 ? undefined : linkOf(response, "next");
  }
  return events;
}

module.exports = { readChanges };
