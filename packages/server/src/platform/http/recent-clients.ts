// Counts the clients being served: connections that sent a request recently. If there are several, the work of one can
// be delayed briefly in favor of the others.

/** An active client sends its next request sooner, even to a busy process. */
const MOMENT_MS = 100;

export interface RecentClients {
  /** Records a request on this connection. */
  note(connection: object): void;
  count(): number;
}

export function createRecentClients(now: () => number = () => performance.now()): RecentClients {
  // Numbers instead of connections, so that connections can be garbage-collected.
  const numbers = new WeakMap<object, number>();
  let last = 0;
  let current = new Set<number>();
  let before: ReadonlySet<number> = new Set();
  let began = now();

  function turn(): void {
    const at = now();
    if (at - began < MOMENT_MS) return;
    before = at - began < 2 * MOMENT_MS ? current : new Set();
    current = new Set();
    began = at;
  }

  return {
    note(connection) {
      turn();
      let number = numbers.get(connection);
      if (number === undefined) numbers.set(connection, (number = ++last));
      current.add(number);
    },
    count() {
      turn();
      return Math.max(current.size, before.size);
    },
  };
}
