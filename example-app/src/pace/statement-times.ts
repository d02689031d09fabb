import { AsyncLocalStorage } from "node:async_hooks";

/** Where code runs that wants to know how long each of its statements took: a function that gets the milliseconds. */
export const statementTimes = new AsyncLocalStorage<(milliseconds: number) => void>();
