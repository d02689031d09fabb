"use strict";

/**
 * A process in which one tenant does its worst, at full speed, from the message `{ port, attack, token }` to the message
 * `stop`; it then tells how many responses it got, by status. It has the lowest priority: in the world it has machines of
 * its own.
 */
const os = require("node:os");
const { Client, webfinger } = require("../servers/client.js");
const { rule } = require("../servers/orgs.js");

const WIDTH = 12;

/** The most terms of a filter. */
const TERMS = 200;

/** The most patterns of a rule, and how many rules. */
const PATTERNS = 1_000;
const RULES = 24;

const statuses = {};
let isOver = false;

/** Each promises when it is over. */
const ATTACKS = {
  async filters(connect) {
    const filter = Array.from({ length: TERMS }, (_, index) => `target.id co "x${index}"`).join(" or ");
    await flood(() => [connect(), `/api/v1/logs?filter=${encodeURIComponent(filter)}`]);
  },

  async rules(connect) {
    const client = connect();
    const [policy] = (await client.send("/api/v1/policies?type=IDP_DISCOVERY")).body;
    const path = `/api/v1/policies/${policy.id}/rules`;
    const paths = [];
    for (let number = 0; number < RULES && !isOver; number++) {
      const { status, body } = await count(client, path, { method: "POST", body: createRule(number, 0) });
      if (status === 200) paths.push(`${path}/${body.id}`);
    }
    await flood((round) => {
      if (round % 4 !== 0 || paths.length === 0) return [client, webfinger(`x${round}@hostile.example`)];
      const number = round % paths.length;
      return [client, paths[number], { method: "PUT", body: createRule(number, round) }];
    });
  },

  async noise(connect) {
    await flood((round) => [connect(round), `/sso/idps/${"A".repeat(15_000)}${round}`]);
  },
};

process.on("disconnect", () => process.exit());
process.on("message", async (message) => {
  if (message === "stop") {
    isOver = true;
    return;
  }
  const { port, attack, token } = message;
  const clients = new Map();
  const connect = (number = 0) => {
    const address = attack === "noise" ? `198.51.${number % 100}.${number % 250}` : "198.51.100.1";
    if (!clients.has(address))
      clients.set(
        address,
        new Client(
          { port },
          { org: "hostile", token: attack === "noise" ? undefined : token, address, connections: WIDTH },
        ),
      );
    return clients.get(address);
  };
  await ATTACKS[attack](connect);
  process.send({ statuses });
});
os.setPriority(os.constants.priority.PRIORITY_LOW);

async function flood(createRequest) {
  let round = 0;
  const lane = async () => {
    while (!isOver) await count(...createRequest(round++)).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: WIDTH }, lane));
}

async function count(client, path, call) {
  const response = await client.send(path, call);
  statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  return response;
}

function createRule(number, round) {
  const patterns = Array.from({ length: PATTERNS }, (_, index) => {
    return { matchType: "CONTAINS", value: `${"ab".repeat(20)}${number}-${index}-${round}` };
  });
  const { conditions, name } = rule(`Rule ${number}`, "x");
  return {
    name,
    conditions: { userIdentifier: { ...conditions.userIdentifier, patterns } },
    actions: { idp: { providers: [{ type: "SVC" }] } },
  };
}
