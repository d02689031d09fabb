import { useSyncExternalStore } from "react";
import { daysBetween, untilTomorrow } from "./local-time.js";

const listeners = new Set<() => void>();
const state: { today: Date; timer: ReturnType<typeof setTimeout> | undefined } = {
  today: new Date(),
  timer: undefined,
};

/** A time of today. When another day begins, what shows dates is drawn anew: a tab may be open for days. */
export function useToday(): Date {
  return useSyncExternalStore(subscribe, readToday);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    document.addEventListener("visibilitychange", tell); // no timer runs while the computer sleeps
    wait();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener("visibilitychange", tell);
    clearTimeout(state.timer);
  };
}

function wait(): void {
  clearTimeout(state.timer);
  state.timer = setTimeout(tell, untilTomorrow(new Date()) + 1);
}

function tell(): void {
  wait();
  for (const listener of listeners) listener();
}

/** The same object all day. */
function readToday(): Date {
  const now = new Date();
  if (daysBetween(state.today, now) !== 0) state.today = now;
  return state.today;
}
