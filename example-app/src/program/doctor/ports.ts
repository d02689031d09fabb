import http from "node:http";
import https from "node:https";
import { isIPv6 } from "node:net";
import { listen, ListenError, type Place } from "../../listen.js";
import type { Settings } from "../settings/settings.js";
import { fault, ok, type Finding } from "./finding.js";

const CHECK = "ports";

/** A running server answers its probe sooner. */
const PATIENCE_MS = 2_000;

type PortSettings = Pick<Settings, "host" | "port" | "http" | "adminHost" | "adminPort">;

/** Check that the server can listen, or does so already. */
export async function checkPorts(settings: PortSettings): Promise<Finding[]> {
  const { host, port, adminHost, adminPort } = settings;
  const findings = [await checkPort({ host, port }, settings.http ? "http" : "https")];
  if (adminPort !== undefined) {
    const place = { host: adminHost, port: adminPort, hostFlag: "--admin-host", portFlag: "--admin-port" };
    findings.push(await checkPort(place, "http"));
  }
  return findings;
}

async function checkPort(place: Place, scheme: "http" | "https"): Promise<Finding> {
  const name = `${place.port} on ${place.host}`;
  const server = http.createServer();
  try {
    await listen(server, place);
    await new Promise((resolve) => server.close(resolve));
    return ok(CHECK, `${name} is free`);
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    if (await isAlive(place, scheme)) return ok(CHECK, `a server runs at ${name}`);
    const [text = "", remedy = "choose another"] = error.message.split(": ");
    return fault(CHECK, text, remedy);
  }
}

/** Whether a server of ours listens there. Its certificate doesn't matter for that. */
function isAlive({ host, port }: Place, scheme: "http" | "https"): Promise<boolean> {
  const address = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const url = `${scheme}://${isIPv6(address) ? `[${address}]` : address}:${port}/livez`;
  return new Promise((resolve) => {
    const request = (scheme === "https" ? https : http).get(
      url,
      { rejectUnauthorized: false, agent: false, timeout: PATIENCE_MS, headers: { Host: "localhost" } },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    request.on("timeout", () => request.destroy());
    request.on("error", () => {
      resolve(false);
    });
  });
}
