"use strict";

/**
 * What the server has acknowledged, and which answers that allows.
 *
 * An org answers WebFinger with one value: the name of its provider, or {@link GONE} while it is suspended. A write of a new
 * value is _sent_ at one time, and _acknowledged_ at a later one or never. A value counts from the time when its write was
 * sent until a later write is acknowledged; so two values count while a write is under way, or when nobody knows how it ended.
 *
 * A request that a sound node answered may have any value that counted between one second before it was sent and its end: a
 * change is seen within that second. A node _in trouble_ is without its database, or stands still: from the beginning of the
 * fault until its `/readyz` says `ok` again, while it counts stale look-ups itself, and while this process, through which it
 * reaches the database, stands still. It may also have what counted from one
 * second before the trouble on, and nothing older. From `ok` on it must have caught up.
 */

/** In milliseconds: so soon all nodes see a change. */
const GRACE = 1_000;

/** The answer of an org that is suspended. */
const GONE = "gone";

/** How many writes a description has. */
const LAST = 6;

/** The values of one org. All times are in milliseconds of one clock. */
class Timeline {
  #versions = [];

  constructor(value) {
    this.#versions.push({ value, sent: -Infinity, acknowledged: -Infinity });
  }

  /** A write of `value` begins: what to call when it is acknowledged, or known to have changed nothing. */
  write(value, now) {
    const version = { value, sent: now, acknowledged: undefined };
    this.#versions.push(version);
    return {
      value,
      acknowledge(time) {
        version.acknowledged = time;
      },
      withdraw: () => {
        this.#versions.splice(this.#versions.lastIndexOf(version), 1);
      },
    };
  }

  /** The last writes, and how many milliseconds before `time` each was sent and acknowledged. */
  describe(time) {
    const ago = (then) =>
      then === undefined ? "never" : then === -Infinity ? "first" : `-${(time - then).toFixed(0)}`;
    return this.#versions
      .slice(-LAST)
      .map(({ value, sent, acknowledged }) => `${value} ${ago(sent)} ${ago(acknowledged)}`)
      .join(", ");
  }

  /** The values that counted at some time from `from` to `to`. */
  between(from, to) {
    const values = new Set();
    for (let index = this.#versions.length - 1; index >= 0; index--) {
      const { value, sent, acknowledged } = this.#versions[index];
      if (sent <= to) values.add(value);
      if (acknowledged !== undefined && acknowledged <= from) break;
    }
    return values;
  }
}

/** Which nodes are in trouble, and were. */
class Troubles {
  #current = new Map();
  #last = new Map();

  begin(node, now) {
    if (!this.#current.has(node)) this.#current.set(node, now);
  }

  end(node, now) {
    const since = this.#current.get(node);
    if (since === undefined) return;
    this.#current.delete(node);
    this.#last.set(node, { since, until: now });
  }

  /** Whether no node is in trouble. */
  get areOver() {
    return this.#current.size === 0;
  }

  /** When the first trouble of `node` began that it was in at some time from `from` to `to`; `undefined` without one. */
  since(node, from, to) {
    const found = [this.#last.get(node), { since: this.#current.get(node) ?? Infinity, until: Infinity }];
    return found.find((trouble) => trouble !== undefined && trouble.until >= from && trouble.since <= to)?.since;
  }
}

/**
 * Judge the answer of `node` to a request from `sent` to `received`.
 *
 * @param troubles a list: those that the faults make, of which the nodes tell, and that this process makes
 * @returns `{ isAllowed, isStale, mayBeGone }`: whether only the trouble of the node allows it, and whether the org may have
 *   been suspended
 */
function judgeAnswer({ timeline, troubles, node, value, sent, received }) {
  const current = timeline.between(sent - GRACE, received);
  const mayBeGone = current.has(GONE);
  if (current.has(value)) return { isAllowed: true, isStale: false, mayBeGone };
  const begun = troubles.map((some) => some.since(node, sent, received)).filter((since) => since !== undefined);
  const isStale = begun.length > 0 && timeline.between(Math.min(...begun, sent) - GRACE, received).has(value);
  return { isAllowed: isStale, isStale, mayBeGone };
}

module.exports = { GONE, GRACE, judgeAnswer, Timeline, Troubles };
