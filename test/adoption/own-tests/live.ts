import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { cookieOf, type GetRunning, LUNCH, signIn } from "./running.js";

export function testLive(running: GetRunning): void {
  describe("live", () => {
    it("tells the page of a new expense", async () => {
      const { port } = running();
      const headers = { Accept: "text/event-stream", Cookie: await cookieOf(running()) };
      const sent = get({ host: "127.0.0.1", port, path: "/api/events", headers });
      const [res] = (await once(sent, "response")) as [IncomingMessage];
      expect([res.statusCode, res.headers["content-type"]]).toEqual([200, "text/event-stream"]);
      expect(String((await once(res, "data"))[0])).toBe(": welcome\n\n");
      const told = once(res, "data");
      const { body } = await (await signIn(running())).post("/api/expenses").send(LUNCH);
      expect(String((await told)[0])).toBe(`data: {"created":"${body.id}"}\n\n`);
      sent.destroy();
    });

    it("tells nobody without a session", async () => {
      const sent = get({ host: "127.0.0.1", port: running().port, path: "/api/events", agent: false });
      const [res] = (await once(sent, "response")) as [IncomingMessage];
      expect(res.resume().statusCode).toBe(401);
      await once(res, "end");
    });

    it("talks with the mobile app over a WebSocket", async () => {
      const Cookie = await cookieOf(running());
      const socket = new WebSocket(`ws://127.0.0.1:${running().port}/live`, { headers: { Cookie } });
      await once(socket, "open");
      const next = async (): Promise<unknown> => JSON.parse(String((await once(socket, "message"))[0]));
      socket.send("hello");
      expect(await next()).toEqual({ heard: "hello", by: "ann" });
      const created = next();
      const { body } = await (await signIn(running())).post("/api/expenses").send(LUNCH);
      expect(await created).toEqual({ created: body.id });
      socket.close();
      await once(socket, "close");
    });

    it("opens no WebSocket without a session", async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${running().port}/live`);
      const [error] = (await once(socket, "error")) as [Error];
      expect(error.message).toBe("Unexpected server response: 401");
    });
  });
}
