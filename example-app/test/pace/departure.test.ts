import { once } from "node:events";
import http, { type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Response } from "express";
import { departureOf } from "../../src/pace/departure.js";

describe("departureOf", () => {
  let server: Server;
  let signal: AbortSignal;
  let closed: Promise<unknown>;
  let answer: (res: Response) => void;

  beforeEach(async () => {
    const app = express().use((_req, res) => {
      signal = departureOf(res);
      closed = once(res, "close");
      answer(res);
    });
    server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = () => http.get({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, agent: false });

  it("is aborted when the client leaves before its response", async () => {
    const arrived = new Promise<void>(
      (resolve) =>
        (answer = () => {
          resolve();
        }),
    );
    const request = ask().on("error", () => undefined);
    await arrived;
    expect(signal.aborted).toBe(false);
    request.destroy();
    await closed;
    expect(signal.aborted).toBe(true);
  });

  it("is not aborted by the end of a response that was written", async () => {
    answer = (res) => res.end("done");
    const [response] = (await once(ask(), "response")) as [http.IncomingMessage];
    await once(response.resume(), "end");
    await closed;
    expect(signal.aborted).toBe(false);
  });
});
