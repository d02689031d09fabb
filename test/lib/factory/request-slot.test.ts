import { createRequestSlot } from "../../../lib/factory/request-slot.js";

describe("createRequestSlot", () => {
  it("keeps one value for each request", () => {
    const slot = createRequestSlot<string>("x");
    const [a, b] = [{}, {}];
    slot.set(a, "1");
    slot.set(b, "2");
    expect([slot.get(a), slot.get(b), slot.tryGet(a)]).toEqual(["1", "2", "1"]);
  });

  it.each([[0], [""], [false]])("keeps %p, which is a value", (value) => {
    const slot = createRequestSlot<unknown>("x");
    const req = {};
    slot.set(req, value);
    expect(slot.get(req)).toBe(value);
  });

  it("names the middleware that is missing", () => {
    const slot = createRequestSlot<string>("requestId");
    expect(slot.tryGet({})).toBeUndefined();
    expect(() => slot.get({})).toThrow(
      new Error("requestId() did not run for this request; mount it before what reads its value"),
    );
  });

  it("tells a request that has no value from one for which the middleware did not run", () => {
    const slot = createRequestSlot<string>("filter", "the request has no expression");
    const req = {};
    expect(slot.has(req)).toBe(false);
    slot.set(req, null);
    expect(slot.has(req)).toBe(true);
    expect(slot.tryGet(req)).toBeUndefined();
    expect(() => slot.get(req)).toThrow(new Error("filter() ran, but the request has no expression"));
    const other = createRequestSlot<string>("x");
    other.set(req, null);
    expect(() => other.get(req)).toThrow(new Error("x() ran, but this request has no value"));
  });

  it("shares the value between two copies of the package, and with no other middleware", () => {
    const req = {};
    createRequestSlot<string>("x").set(req, "1");
    expect(createRequestSlot<string>("x").get(req)).toBe("1");
    expect(createRequestSlot<string>("y").tryGet(req)).toBeUndefined();
  });

  it.each(["constructor", "toString", "__proto__"])("has nothing for %s before it is set", (name) => {
    const req = {};
    createRequestSlot<string>("x").set(req, "1");
    const slot = createRequestSlot<string>(name);
    expect(slot.tryGet(req)).toBeUndefined();
    slot.set(req, "2");
    expect(slot.get(req)).toBe("2");
  });

  it("adds one property to a request, whatever the number of slots", () => {
    const req = {};
    for (const name of ["x", "y", "z"]) createRequestSlot<string>(name).set(req, name);
    expect(Reflect.ownKeys(req)).toEqual([Symbol.for("etiquette")]);
  });

  it("adds no property that has a name", () => {
    const req = {};
    createRequestSlot<string>("x").set(req, "1");
    expect(Object.keys(req)).toEqual([]);
  });
});
