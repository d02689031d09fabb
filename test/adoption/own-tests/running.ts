import type { Server } from "node:http";
import request from "supertest";

/** The app while its tests run. */
export interface Running {
  readonly server: Server;
  readonly port: number;
  readonly store: { readonly list: () => Promise<unknown[]> };
  readonly log: { readonly error: jest.Mock };
}

export type GetRunning = () => Running;

const FORM = { ann: "correct horse", boss: "battery staple" };

/** A client with the session of somebody. */
export async function signIn({ server }: Running, name: keyof typeof FORM = "ann") {
  const agent = request.agent(server);
  await agent.post("/login").send({ name, password: FORM[name] }).expect(201);
  return agent;
}

/** The cookie of a session, for clients other than supertest. */
export async function cookieOf({ server }: Running): Promise<string> {
  const { headers } = await request(server).post("/login").send({ name: "ann", password: FORM.ann }).expect(201);
  const [cookie = ""] = headers["set-cookie"] as unknown as string[];
  return cookie.split(";", 1)[0] ?? "";
}

export const LUNCH = { title: "Lunch", amount: 12.5, currency: "EUR" };

/** Expect an error in the format of the app. */
export function expectError(res: request.Response, code: string, message?: string): void {
  expect(res.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(res.body).toEqual({
    error: {
      code,
      message: message ?? expect.any(String),
      ...(code === "validation_failed" && { fields: expect.any(Array) }),
    },
    requestId: res.headers["x-request-id"],
  });
}
