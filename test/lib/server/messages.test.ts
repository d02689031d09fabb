import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { inspect } from "node:util";
import { bornWith } from "../../../lib/server/messages.js";

describe("bornWith", () => {
  const prototype = Object.create(IncomingMessage.prototype, {
    app: { value: 1, enumerable: true },
  }) as IncomingMessage;
  const Born = bornWith(IncomingMessage, prototype);
  const born = new Born(new Socket());
  const changed = Object.setPrototypeOf(new IncomingMessage(new Socket()), prototype) as IncomingMessage;

  it("makes objects with the prototype", () => {
    expect(Object.getPrototypeOf(born)).toBe(prototype);
    expect(born).toBeInstanceOf(IncomingMessage);
    expect(born).toHaveProperty("app", 1);
  });

  it("makes them like those whose prototype was changed", () => {
    expect(Reflect.ownKeys(born)).toEqual(Reflect.ownKeys(changed));
    expect(inspect(born)).toBe(inspect(changed));
    expect(born.constructor).toBe(IncomingMessage);
    expect(Object.prototype.toString.call(born)).toBe(Object.prototype.toString.call(changed));
  });

  it("leaves them their name in stack traces", () => {
    Object.defineProperty(prototype, "where", { value: () => new Error().stack });
    const frameOf = (object: unknown): string | undefined =>
      (object as { where: () => string })
        .where()
        .split("\n")[1]
        ?.replace(/:\d+:\d+/, "");
    expect(frameOf(born)).toBe(frameOf(changed));
  });

  it("passes on what a constructor is given", () => {
    const BornResponse = bornWith(ServerResponse, ServerResponse.prototype) as new (
      ...args: unknown[]
    ) => ServerResponse;
    const response = new BornResponse(born, { highWaterMark: 7 });
    expect(response.req).toBe(born);
    expect(response.writableHighWaterMark).toBe(7);
  });

  it("does without where the parent is a class", () => {
    class Message {
      url = "/";
    }
    const inherited = Object.create(Message.prototype) as Message;
    expect(bornWith(Message, inherited)).toBe(Message);
  });

  it("leaves the prototype and the parent as they were", () => {
    const names = Reflect.ownKeys(prototype);
    const given = bornWith(IncomingMessage, prototype);
    expect(Reflect.ownKeys(prototype)).toEqual(names);
    expect(Object.getPrototypeOf(prototype)).toBe(IncomingMessage.prototype);
    expect(given).not.toBe(Born);
    expect(Object.getPrototypeOf(given)).toBe(IncomingMessage);
  });
});
