// Limits the network load of a scan: concurrent connections and new connections per second, in total and per host.

export interface PaceFacts {
  /** New connections per second. */
  readonly ratePerSecond: number;
  /** Concurrent connections per address. */
  readonly parallelPerHost: number;
  /** New connections per second for each address. */
  readonly ratePerHost: number;
}

interface Host {
  running: number;
  /** Earliest start of the next connection. */
  nextAt: number;
  readonly waiting: (() => void)[];
}

/** Timers overrun shorter waits, so these are skipped; later connections make up for the skipped time. */
const LEAST_WAIT_MS = 2;
/** If there are more hosts than this, those without open or waiting connections are dropped. */
const MAX_IDLE_HOSTS = 10_000;

export class Politeness {
  private readonly facts: PaceFacts;
  private readonly hosts = new Map<string, Host>();
  private nextAt = 0;

  constructor(facts: PaceFacts) {
    this.facts = facts;
  }

  /** Waits until a connection to an address can start. Every `enter` that returns must be followed by a `leave`. */
  async enter(address: string, signal: AbortSignal): Promise<void> {
    const host = this.hostOf(address);
    if (host.running >= this.facts.parallelPerHost) await this.turn(host, signal);
    else host.running += 1;
    const now = performance.now();
    const [ownAt, allAt] = [Math.max(now, host.nextAt), Math.max(now, this.nextAt)];
    host.nextAt = ownAt + 1000 / this.facts.ratePerHost;
    this.nextAt = allAt + 1000 / this.facts.ratePerSecond;
    try {
      await pause(Math.max(ownAt, allAt) - now, signal);
    } catch (error) {
      this.leave(address);
      throw error;
    }
  }

  leave(address: string): void {
    const host = this.hosts.get(address);
    if (!host) return;
    const next = host.waiting.shift();
    // The slot passes to the next waiter.
    if (next) next();
    else host.running -= 1;
    if (host.running === 0 && host.nextAt <= performance.now()) this.hosts.delete(address);
  }

  private hostOf(address: string): Host {
    const known = this.hosts.get(address);
    if (known) return known;
    if (this.hosts.size >= MAX_IDLE_HOSTS) this.forgetIdle();
    const host: Host = { running: 0, nextAt: 0, waiting: [] };
    this.hosts.set(address, host);
    return host;
  }

  private forgetIdle(): void {
    const now = performance.now();
    for (const [address, { running, nextAt }] of this.hosts)
      if (running === 0 && nextAt <= now) this.hosts.delete(address);
  }

  private async turn(host: Host, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      host.waiting.splice(host.waiting.indexOf(resolve), 1);
      reject(signal.reason);
    };
    host.waiting.push(resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    await promise.finally(() => signal.removeEventListener('abort', onAbort));
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (milliseconds < LEAST_WAIT_MS) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  await promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
}
