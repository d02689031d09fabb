import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { inspect } from "node:util";
import { withPrototype } from "../../../lib/express/messages.js";

describe("withPrototype", () => {
  const prototype = Object.create(IncomingMessage.prototype, {
    app: { value: 1, enumerable: true },
  }) as IncomingMessage;
  const Derived = withPrototype(IncomingMessage, prototype);
  const derived = new Derived(new Socket());
  const changed = Object.setPrototypeOf(new IncomingMessage(new Socket()), prototype) as IncomingMessage;

  it("makes objects with the prototype", () => {
    expect(Object.getPrototypeOf(derived)).toBe(prototype);
    expect(derived).toBeInstanceOf(IncomingMessage);
    expect(derived).toHaveProperty("app", 1);
  });

  it("makes them like those whose prototype was changed", () => {
    expect(Reflect.ownKeys(derived)).toEqual(Reflect.ownKeys(changed));
    expect(inspect(derived)).toBe(inspect(changed));
    expect(derived.constructor).toBe(IncomingMessage);
    expect(Object.prototype.toString.call(derived)).toBe(Object.prototype.toString.call(changed));
  });

  it("leaves them their name in stack traces", () => {
    Object.defineProperty(prototype, "where", { value: () => new Error().stack });
    const frameOf = (object: unknown): string | undefined =>
      (object as { where: () => string })
        .where()
        .split("\n")[1]
        ?.replace(/:\d+:\d+/, "");
    expect(frameOf(derived)).toBe(frameOf(changed));
  });

  it("passes on what a constructor is given", () => {
    const DerivedResponse = withPrototype(ServerResponse, ServerResponse.prototype) as new (
      ...args: unknown[]
    ) => ServerResponse;
    const response = new DerivedResponse(derived, { highWaterMark: 7 });
    expect(response.req).toBe(derived);
    expect(response.writableHighWaterMark).toBe(7);
  });

  it("does without where the parent is a class", () => {
    class Message {
      url = "/";
    }
    const inherited = Object.create(Message.prototype) as Message;
    expect(withPrototype(Message, inherited)).toBe(Message);
  });

  it("leaves the prototype and the parent as they were", () => {
    const names = Reflect.ownKeys(prototype);
    const given = withPrototype(IncomingMessage, prototype);
    expect(Reflect.ownKeys(prototype)).toEqual(names);
    expect(Object.getPrototypeOf(prototype)).toBe(IncomingMessage.prototype);
    expect(given).not.toBe(Derived);
    expect(Object.getPrototypeOf(given)).toBe(IncomingMessage);
  });
});
