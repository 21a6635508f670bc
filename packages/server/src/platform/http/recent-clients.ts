// Counts the clients being served, which are connections that recently sent a request. If there are several, work for
// one client can be delayed briefly in favor of the others.

/** Time within which an active client sends its next request, even to a busy process. */
const MOMENT_MS = 100;

export interface RecentClients {
  /** Records a request on this connection. */
  note(connection: object): void;
  count(): number;
}

export function createRecentClients(now: () => number = () => performance.now()): RecentClients {
  // Connections are identified by numbers, so that they can be garbage-collected.
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
