import { EventEmitter } from "node:events";
import type { Request, Response } from "express";
import { createFileRoom, createResponseRoom } from "../../src/admission/response-room.js";
import { requestContext } from "etiquette/request-context";
import { tenant } from "../../src/tenancy/tenant.js";

/** What a response takes beside its body. */
const OVERHEAD = 1_024;

const findTenant = tenant(
  { get: (host: string) => ({ org: { id: host, status: "ACTIVE" } }) } as never,
  { get: () => ({}) } as never,
);

/** A client's connection. */
const connect = () => Object.assign(new EventEmitter(), { destroyed: false });

/** Send a response with so many bytes on `socket`, which stays unread. */
async function respond(
  room: ReturnType<typeof createResponseRoom>,
  org: string,
  bytes: number,
  socket = connect(),
): Promise<EventEmitter> {
  const req = { headers: { host: org }, socket } as unknown as Request;
  const res = Object.assign(new EventEmitter(), {
    writableEnded: true,
    writableFinished: false,
    getHeader: () => String(bytes),
  });
  findTenant(req, res as unknown as Response, () => undefined);
  const handler = room.bound(() => undefined, "short");
  await handler(req, res as unknown as Response, () => undefined);
  return res;
}

describe("responses that wait for their clients", () => {
  it("S9 are refused beyond the limit of their org, until clients read them", async () => {
    const room = createResponseRoom(10_000);
    await respond(room, "demo", 9_999 - OVERHEAD);
    const last = await respond(room, "demo", 1 - OVERHEAD); // 10,000 in all
    const over = await respond(room, "demo", 1 - OVERHEAD);
    const refused = await respond(room, "demo", 0).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "E0000047", type: "responses.unread", headers: { "Retry-After": "5" } });
    await respond(room, "other", 50_000);
    over.emit("close");
    last.emit("close");
    await respond(room, "demo", 0);
  });

  it("S9 are released when their connection closes, also those behind another one", async () => {
    const room = createResponseRoom(10_000);
    const socket = connect();
    await respond(room, "demo", 8_000, socket);
    await respond(room, "demo", 8_000, socket);
    await expect(respond(room, "demo", 0)).rejects.toThrow();
    socket.emit("close");
    await respond(room, "demo", 0);
  });

  it("S9 leave an equal share to each org when those of all take four times the limit", async () => {
    const room = createResponseRoom(10_000);
    for (const org of ["a", "b", "c", "d", "e"]) await respond(room, org, 9_000 - OVERHEAD);
    await expect(respond(room, "a", 0)).rejects.toThrow();
    await respond(room, "new", 0);
  });

  it("S9 of files count for their address, 16 MiB, not for the org", async () => {
    const room = createFileRoom();
    const ask = async (ip: string) => {
      const socket = Object.assign(connect(), { remoteAddress: ip });
      const req = { headers: { host: "demo" }, socket, url: "/" } as unknown as Request;
      const res = Object.assign(new EventEmitter(), {
        writableEnded: true,
        writableFinished: false,
        getHeader: () => String(8_388_608 - OVERHEAD),
      });
      requestContext()(req, res as unknown as Response, () => undefined);
      await room.bound(() => undefined, undefined)(req, res as unknown as Response, () => undefined);
      return res;
    };
    await ask("198.51.100.1");
    await ask("198.51.100.1"); // 16 MiB
    const over = await ask("198.51.100.1");
    await expect(ask("198.51.100.1")).rejects.toMatchObject({ code: "E0000047", type: "responses.unread" });
    await ask("198.51.100.2");
    over.emit("close");
    await ask("198.51.100.1");
  });
});
