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
 * fault until its `/readyz` says `ok` again. It may also have what counted from one second before the trouble on, and nothing
 * older. From `ok` on it must have caught up.
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

  /** When the trouble of `node` began that it was in at `time` or later; `undefined` without one. */
  since(node, time) {
    const last = this.#last.get(node);
    return last !== undefined && last.until >= time ? last.since : this.#current.get(node);
  }
}

/**
 * Judge the answer of `node` to a request from `sent` to `received`.
 *
 * @returns `{ isAllowed, isStale, mayBeGone }`: whether only the trouble of the node allows it, and whether the org may have
 *   been suspended
 */
function judgeAnswer({ timeline, troubles, node, value, sent, received }) {
  const current = timeline.between(sent - GRACE, received);
  const mayBeGone = current.has(GONE);
  if (current.has(value)) return { isAllowed: true, isStale: false, mayBeGone };
  const since = troubles.since(node, sent);
  const isStale = since !== undefined && timeline.between(Math.min(since, sent) - GRACE, received).has(value);
  return { isAllowed: isStale, isStale, mayBeGone };
}

module.exports = { GONE, GRACE, judgeAnswer, Timeline, Troubles };
