import type { z } from "zod";
import type { Settings } from "./settings.js";

/** Members of {@link Settings} that are objects of limits, each with a setting of its own. */
type LimitGroup = "connectionLimits" | "overloadLimits";

type MembersOf<G extends LimitGroup> = {
  readonly [M in keyof Settings[G] & string as `${G}.${M}`]-?: Exclude<Settings[G][M], undefined>;
};

/** What settings fill: each member of {@link Settings}, and `overloadLimits.lag` for a member of a group. */
export type Members = Omit<Settings, LimitGroup> & MembersOf<"connectionLimits"> & MembersOf<"overloadLimits">;

/** What the command line, its help and the page know of a setting. */
export interface SettingFacts {
  /** The environment variable, if it has another name than the flag. */
  readonly env?: string;
  /** The name of the value in the help. A setting without one is a switch. */
  readonly placeholder?: string;
  /** Whether `--no-demo` is the same as `--demo=false`. */
  readonly negatable?: true;
  /** The default, as a user would write it. */
  readonly fallback?: string;
  /** One line of `--help`. */
  readonly help: string;
  /** Sentences that only the page has, in Markdown; links begin in `docs/reference/`. */
  readonly details?: string;
  /** Whether messages must not show the value. It can also come from a file that a variable names. */
  readonly secret?: true;
  /** Whether the value is the path of a file or folder. */
  readonly isPath?: true;
  /** Whether a running server takes over a change at SIGHUP. */
  readonly isReloaded?: true;
  /** The accepted values. Messages complete the sentence that begins with "--port". */
  readonly shape: z.ZodType;
}

/** A setting that alone is a member of {@link Settings}. `shape` makes a value of the member's type. */
type Targeted = { [M in keyof Members]: { readonly target: M; readonly shape: z.ZodType<Members[M]> } }[keyof Members];

/** One setting. Without `target`, `combine()` in `parse.ts` makes members of it and others. */
export type Setting = SettingFacts & (Targeted | { readonly target?: undefined });

/** Settings by their flags, without the dashes. */
export type SettingGroup = Readonly<Record<string, Setting>>;
