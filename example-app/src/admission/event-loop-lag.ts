/** The time between two measurements, in milliseconds. */
const INTERVAL = 100;

/** Call a listener again and again with the milliseconds that the event loop is late. Returns what stops it. */
export type LagSource = (listener: (lag: number) => void) => () => void;

/** Measure how late a timer is. A timer is late when the work of one turn of the event loop takes long. */
export const measureLag: LagSource = (listener) => {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    listener(Math.max(0, now - last - INTERVAL));
    last = now;
  }, INTERVAL).unref();
  return () => {
    clearInterval(timer);
  };
};
