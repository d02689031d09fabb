import { lazy, type ComponentType, type LazyExoticComponent } from "react";

const LOADS = new Set<() => Promise<unknown>>();

/** A component that is loaded when it is shown, unless {@link loadLater} did before. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  const loadDefault = async () => ({ default: await load() });
  LOADS.add(loadDefault);
  return lazy(loadDefault);
}

/** Loads what nobody has seen yet. When somebody does, days later, the server may have other files, or be away. */
export function loadLater(): void {
  for (const load of LOADS) void load().catch(() => undefined);
}
