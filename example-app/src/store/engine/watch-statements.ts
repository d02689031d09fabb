import type { KyselyPlugin, QueryId, RootOperationNode } from "kysely";
import { statementTimes } from "../../pace/statement-times.js";
import type { TurnWatch } from "../../pace/turn-watch.js";
import type { Turns } from "../../pace/turns.js";

interface Caller {
  readonly who: object | undefined;
  readonly what: string;
  /** Told the milliseconds; `undefined` where nobody measures. */
  readonly time: ((milliseconds: number) => void) | undefined;
  readonly start: number;
}

/**
 * Lets `watch` know for whom a statement works, and the code that goes on with its rows. Tells `statementTimes` how long it
 * took, with the time until its turn came.
 */
export function watchStatements(watch: TurnWatch): KyselyPlugin {
  const callers = new WeakMap<QueryId, Caller>();
  return {
    transformQuery({ queryId, node }) {
      const { who } = watch;
      const what = nameOf(node);
      const time = statementTimes.getStore();
      callers.set(queryId, { who, what, time, start: time ? performance.now() : 0 });
      watch.enter(what, who);
      return node;
    },
    transformResult({ queryId, result }) {
      const caller = callers.get(queryId);
      if (caller) {
        watch.enter(`rows of ${caller.what}`, caller.who);
        caller.time?.(performance.now() - caller.start);
      }
      return Promise.resolve(result);
    },
  };
}

/** `turns`, in which work goes on for the same as before its turn. */
export function watchTurns(turns: Turns, watch: TurnWatch): Turns {
  return {
    ...turns,
    run(owner, work, signal) {
      const { who } = watch;
      const resume = (): ReturnType<typeof work> => {
        watch.enter("begin its turn", who);
        return work();
      };
      return turns.run(owner, resume, signal);
    },
  };
}

/** `select users`: the kind of a statement and its table, or the first words of its text. No value of a parameter. */
function nameOf(node: RootOperationNode): string {
  if (node.kind === "RawNode") return /^\s*(\w+(?:\s+\w+){0,2})/.exec(node.sqlFragments[0] ?? "")?.[1] ?? "statement";
  const verb = node.kind.replace(/(?:Query)?Node$/, "").toLowerCase();
  const table = tableOf(node);
  return table === undefined ? verb : `${verb} ${table}`;
}

function tableOf(node: RootOperationNode): string | undefined {
  switch (node.kind) {
    case "SelectQueryNode":
    case "DeleteQueryNode":
      return nameIn(node.from?.froms[0]);
    case "InsertQueryNode":
      return nameIn(node.into);
    case "UpdateQueryNode":
      return nameIn(node.table);
    default:
      return undefined;
  }
}

function nameIn(node: object | undefined): string | undefined {
  const { table, node: aliased } = (node ?? {}) as { table?: { identifier?: { name?: string } }; node?: object };
  return table?.identifier?.name ?? (aliased && nameIn(aliased));
}
