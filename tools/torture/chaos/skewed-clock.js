"use strict";

/** Preloaded into a program: its clock is wrong by as many milliseconds as the process that started it says. */
const { now } = Date;
let skew = 0;

Date.now = () => now() + skew;
globalThis.Date = new Proxy(Date, {
  apply: (RealDate) => new RealDate(RealDate.now()).toString(),
  construct: (RealDate, args, target) =>
    Reflect.construct(RealDate, args.length === 0 ? [RealDate.now()] : args, target),
});

process.on("message", (message) => {
  if (message?.ask !== "skew") return;
  skew = message.skew;
  process.send({ skew });
});
process.channel?.unref(); // a server that is told to stop ends by itself
