import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { HAS_LONE_SHAPES, shareShape } from "../../../lib/express/shared-shape.js";

setFlagsFromString("--allow-natives-syntax");
const haveSameShape = runInThisContext("(a, b) => %HaveSameMap(a, b)") as (a: object, b: object) => boolean;

class Message {
  url = "/";
}

/** As Express treats a request. */
function treat(message: Message, prototype: object): object {
  Object.setPrototypeOf(message, prototype);
  return Object.assign(message, { next: () => undefined, baseUrl: "" });
}

describe("shareShape", () => {
  const prototype = Object.create(Message.prototype) as object;
  const createPair = () => [treat(new Message(), prototype), treat(new Message(), prototype)] as const;

  it("is needed by this version of V8, or is known not to be", () => {
    const [a, b] = createPair();
    expect(haveSameShape(a, b)).toBe(!HAS_LONE_SHAPES);
  });

  it("gives objects like each other one hidden class", () => {
    const [a, b] = createPair();
    for (const object of [a, b]) shareShape(object);
    expect(haveSameShape(a, b)).toBe(true);
  });

  it("has them share it still when they get more properties", () => {
    const [a, b] = createPair();
    for (const object of [a, b]) {
      shareShape(object);
      Object.assign(object, { params: {}, route: undefined });
    }
    expect(haveSameShape(a, b)).toBe(true);
  });

  it("leaves the properties, their order and the prototype as they are", () => {
    const [object, untouched] = createPair();
    shareShape(object);
    expect(Reflect.ownKeys(object)).toEqual(Reflect.ownKeys(untouched));
    expect(Object.getPrototypeOf(object)).toBe(prototype);
    expect(Object.getOwnPropertyDescriptors(object)).toMatchObject({
      url: { value: "/", writable: true, enumerable: true, configurable: true },
    });
  });
});
