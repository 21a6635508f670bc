// Scans one target: resolves its name and performs a handshake with each of its addresses. A misbehaving peer costs no
// more than its timeout and a limited number of bytes.
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Target } from '../targets/plan.ts';
import { performHandshake, type Handshake } from './handshake.ts';
import { LimitedStream } from './limited-stream.ts';
import { failureOf, ScanFailure } from './outcome.ts';
import type { Politeness } from '@signetry/connector-sdk/discovery';
import { startTls } from './start-tls.ts';
import { inTurn } from './turns.ts';

export interface ScanOptions {
  /** Time limit for resolving a name, and for each complete connection. */
  readonly timeoutMs: number;
  readonly politeness: Politeness;
  readonly signal: AbortSignal;
  /** Throws if connecting to the address is not allowed; the error message gives the reason. */
  readonly assertAddress?: (host: string, target: { readonly address: string; readonly port: number }) => void;
}

/** Result of a handshake, with the address. */
export interface ServedHandshake extends Handshake {
  readonly address: string;
}

export interface ScanResult {
  readonly target: Target;
  readonly served: readonly ServedHandshake[];
  /** One failure per address that presented no certificate. */
  readonly failures: readonly ScanFailure[];
}

/**
 * Maximum number of bytes that a server may send before the handshake is complete. Certificate chains need about 1 % of
 * it.
 */
export const MAX_OCTETS = 256 * 1024;
/** Maximum number of addresses per name. */
const MAX_ADDRESSES = 16;

/** Throws only if the signal aborts. */
export async function scanTarget(target: Target, options: ScanOptions): Promise<ScanResult> {
  const served: ServedHandshake[] = [];
  const failures: ScanFailure[] = [];
  try {
    for (const address of await addressesOf(target, options)) {
      try {
        served.push({ ...(await scanAddress(target, address, options)), address });
      } catch (error) {
        options.signal.throwIfAborted();
        failures.push(failureOf(error, false));
      }
    }
  } catch (error) {
    options.signal.throwIfAborted();
    failures.push(failureOf(error, false));
  }
  return { target, served, failures };
}

async function addressesOf({ host }: Target, { timeoutMs, signal }: ScanOptions): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  // A DNS lookup cannot be canceled, so its result is ignored.
  const over = new AbortController();
  try {
    const found = await Promise.race([
      lookup(host, { all: true, order: 'verbatim' }),
      delay(timeoutMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }),
    ]);
    if (!found || found.length === 0) throw new ScanFailure('unresolved');
    return [...new Set(found.map(({ address }) => address))].slice(0, MAX_ADDRESSES);
  } catch (error) {
    throw new ScanFailure('unresolved', { cause: error });
  } finally {
    over.abort();
  }
}

async function scanAddress(target: Target, address: string, options: ScanOptions): Promise<Handshake> {
  const { politeness, signal, timeoutMs } = options;
  assertAllowed(target, address, options);
  await politeness.enter(address, signal);
  const attempt = new Attempt(timeoutMs, signal);
  try {
    return await attempt.run(target, address);
  } finally {
    await attempt.end();
    politeness.leave(address);
  }
}

function assertAllowed({ host, port }: Target, address: string, { assertAddress }: ScanOptions): void {
  try {
    assertAddress?.(host, { address, port });
  } catch (error) {
    const kind = (error as { reason?: unknown } | null)?.reason === 'ownListener' ? 'ownListener' : 'notAllowed';
    throw new ScanFailure(kind, { cause: error, ...(error instanceof Error ? { detail: error.message } : {}) });
  }
}

/** A single connection with its own timeout. */
class Attempt {
  private readonly signal: AbortSignal;
  private readonly over = Promise.withResolvers<never>();
  private readonly timer: NodeJS.Timeout;
  private socket: Socket | undefined;
  private stream: LimitedStream | undefined;
  private isConnected = false;
  private handshake: Promise<Handshake> | undefined;

  constructor(timeoutMs: number, signal: AbortSignal) {
    this.signal = signal;
    this.over.promise.catch(() => undefined);
    this.timer = setTimeout(
      () => inTurn(() => this.over.reject(new ScanFailure(this.isConnected ? 'stalled' : 'silent'))),
      timeoutMs,
    );
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  run(target: Target, address: string): Promise<Handshake> {
    const work = this.work(target, address);
    work.catch(() => undefined);
    return Promise.race([work, this.over.promise]);
  }

  /**
   * Returns once the handshake's memory is released. If many attempts time out together, new ones would otherwise use
   * additional memory.
   */
  async end(): Promise<void> {
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.onAbort);
    const { socket, stream } = this;
    if (!socket) return;
    // Pending data, such as the end of the handshake, is written first if possible.
    const destroy = (): void => {
      stream?.destroy();
      socket.destroy();
    };
    if (stream && !stream.destroyed && stream.writableLength > 0) setImmediate(destroy);
    else destroy();
    await this.handshake?.catch(() => undefined);
  }

  private async work(target: Target, address: string): Promise<Handshake> {
    const { host, port, startTls: protocol, serverName } = target;
    const socket = connect({ host: address, port, noDelay: true });
    this.socket = socket;
    await waitUntilConnected(socket);
    this.isConnected = true;
    if (protocol) await startTls(socket, protocol, serverName ?? host);
    const stream = new LimitedStream(socket, MAX_OCTETS);
    this.stream = stream;
    stream.on('error', () => undefined);
    const { promise: turn, resolve } = Promise.withResolvers<Handshake>();
    inTurn(() => {
      this.handshake = performHandshake(stream, target);
      resolve(this.handshake);
    });
    return turn;
  }

  private readonly onAbort = (): void => inTurn(() => this.over.reject(this.signal.reason));
}

function waitUntilConnected(socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('connect', resolve);
  // This listener is not removed: an error after the attempt has ended must not terminate the process.
  socket.on('error', (error) => inTurn(() => reject(failureOf(error, false))));
  return promise;
}
