// Fetches data from a log. The server is untrusted: redirects are not followed and every read is bounded.
import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Politeness } from '@signetry/connector-sdk/discovery';
import { LogError } from './log-error.ts';
import { tilePath, TILE_WIDTH, type TileCoordinates } from './tiles.ts';

export interface LogClientOptions {
  /** Monitoring prefix, without a trailing slash. */
  readonly url: string;
  /** Maximum number of concurrent requests. */
  readonly parallel: number;
  readonly ratePerSecond: number;
  /** Time limit for one request, including the complete response. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /**
   * Returns the log's addresses to which connections are allowed. If there are none, throws an error that states the
   * reason.
   */
  readonly resolve?: (host: string, port: number) => Promise<readonly { readonly address: string }[]>;
  /** Maximum delay before a retry. */
  readonly maxPauseMs?: number;
}

const MAX_CHECKPOINT_OCTETS = 64 * 1024;
const MAX_HASHES_OCTETS = 8 * 1024;
/** A typical tile is much smaller: 256 entries of 4 KiB are 1 MiB. */
const MAX_DATA_OCTETS = 32 * 1024 * 1024;
const MAX_ISSUER_OCTETS = 256 * 1024;
/** Maximum number of attempts for a request that receives no response. The delay doubles after each attempt. */
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

interface LogResponse {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly octets: Uint8Array;
}

/** Thrown for a response that may be different on a retry. */
class RetryableError extends Error {
  readonly pauseMs: number | undefined;

  constructor(message: string, pauseMs?: number) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

export class LogClient {
  private readonly options: LogClientOptions;
  private readonly url: URL;
  private readonly pace: Politeness;
  private readonly agent: HttpAgent;

  constructor(options: LogClientOptions) {
    this.options = options;
    this.url = new URL(options.url);
    const { parallel, ratePerSecond } = options;
    this.pace = new Politeness({ ratePerSecond, parallelPerHost: parallel, ratePerHost: ratePerSecond });
    const facts = { keepAlive: true, maxSockets: parallel, lookup: this.lookup() };
    this.agent = this.url.protocol === 'https:' ? new HttpsAgent(facts) : new HttpAgent(facts);
  }

  async checkpoint(): Promise<string> {
    const octets = await this.fetch('checkpoint', MAX_CHECKPOINT_OCTETS);
    if (octets) return Buffer.from(octets).toString('utf8');
    throw this.missing('checkpoint');
  }

  /**
   * A log may delete a partial tile once the full tile exists. The full tile, which begins with the same data, is then
   * fetched instead.
   */
  async tile(tile: TileCoordinates): Promise<Uint8Array> {
    const max = tile.level === 'data' ? MAX_DATA_OCTETS : MAX_HASHES_OCTETS;
    const octets =
      (await this.fetch(tilePath(tile), max)) ??
      (tile.width < TILE_WIDTH ? await this.fetch(tilePath({ ...tile, width: TILE_WIDTH }), max) : undefined);
    if (octets) return octets;
    throw this.missing(tilePath(tile));
  }

  /** Returns the DER certificate with the given fingerprint (lowercase hexadecimal). */
  async issuer(fingerprint: string): Promise<Uint8Array> {
    const octets = await this.fetch(`issuer/${fingerprint}`, MAX_ISSUER_OCTETS);
    if (octets) return octets;
    throw this.missing(`issuer/${fingerprint}`);
  }

  close(): void {
    this.agent.destroy();
  }

  private missing(path: string): LogError {
    return new LogError(
      'unavailable',
      `The log does not serve /${path}, although it exists according to the tree head.`,
    );
  }

  /** Returns undefined if the log does not have the file. */
  private async fetch(path: string, maxOctets: number): Promise<Uint8Array | undefined> {
    const { signal, maxPauseMs = MAX_PAUSE_MS } = this.options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.fetchOnce(path, maxOctets);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RetryableError)) throw error;
        if (attempt === MAX_ATTEMPTS) throw new LogError('unavailable', `Cannot fetch /${path}: ${error.message}`);
        const pauseMs = Math.max(error.pauseMs ?? 0, FIRST_PAUSE_MS * 2 ** (attempt - 1));
        await delay(Math.min(pauseMs, maxPauseMs), undefined, { signal });
      }
    }
  }

  private async fetchOnce(path: string, maxOctets: number): Promise<Uint8Array | undefined> {
    const { signal } = this.options;
    await this.pace.enter(this.url.host, signal);
    try {
      const { status, octets, retryAfterMs } = await this.request(path, maxOctets);
      if (status === 200) return octets;
      if (status === 404 || status === 410) return undefined;
      if (status >= 300 && status < 400)
        throw new LogError(
          'unavailable',
          `The log responds to /${path} with a redirect (${status}), which is not followed. Specify the URL that serves the log directly.`,
        );
      if (status === 429 || status >= 500) throw new RetryableError(`The log returned status ${status}.`, retryAfterMs);
      throw new LogError('unavailable', `The log rejected /${path} with status ${status}.`);
    } finally {
      this.pace.leave(this.url.host);
    }
  }

  private async request(path: string, maxOctets: number): Promise<LogResponse> {
    const timeout = AbortSignal.timeout(this.options.timeoutMs);
    const signal = AbortSignal.any([this.options.signal, timeout]);
    try {
      await this.assertReachable();
      const response = await this.open(path, signal);
      const octets = await readAll(response, maxOctets);
      const retryAfter = Number(response.headers['retry-after']);
      return {
        status: response.statusCode ?? 0,
        retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined,
        octets: response.headers['content-encoding'] === 'gzip' ? await unpack(octets, maxOctets) : octets,
      };
    } catch (error) {
      this.options.signal.throwIfAborted();
      if (error instanceof LogError) throw error;
      if (timeout.aborted) throw new RetryableError('The log did not respond in time.');
      throw new RetryableError(reasonOf(error));
    }
  }

  private open(path: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = this.url.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = { 'user-agent': 'signetry-log-discovery', 'accept-encoding': 'gzip, identity' };
    request(`${this.options.url}/${path}`, { agent: this.agent, headers, signal }, resolve).on('error', reject).end();
    return promise;
  }

  /** Connects only to the checked addresses. Node does not call `lookup` for literal IP addresses. */
  private lookup(): LookupFunction {
    const port = Number(this.url.port) || (this.url.protocol === 'https:' ? 443 : 80);
    return (host, options, done) => {
      this.addresses(host, port).then(
        (all) => {
          const found = all.map(({ address }) => ({ address, family: isIP(address) }));
          const [first] = found;
          if (!first) done(new LogError('notAllowed', `The host name ${host} cannot be resolved.`), []);
          else if (options.all) done(null, found);
          else done(null, first.address, first.family);
        },
        (error: unknown) => done(error as NodeJS.ErrnoException, []),
      );
    };
  }

  private async addresses(host: string, port: number): Promise<readonly { readonly address: string }[]> {
    const { resolve } = this.options;
    if (!resolve) return lookup(host, { all: true });
    try {
      return await resolve(host, port);
    } catch (error) {
      // Resolving a host name may succeed later, but a forbidden address remains forbidden.
      throw error instanceof Error && !('code' in error) ? new LogError('notAllowed', error.message) : error;
    }
  }

  /** Rejects immediately if the log is specified by a forbidden IP address. */
  async assertReachable(): Promise<void> {
    const host = this.url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) === 0) return;
    await this.addresses(host, Number(this.url.port) || (this.url.protocol === 'https:' ? 443 : 80));
  }
}

async function readAll(response: IncomingMessage, maxOctets: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let octets = 0;
  for await (const part of response) {
    const read = part as Uint8Array; // Chunks are bytes because no encoding is set.
    octets += read.length;
    if (octets > maxOctets) {
      response.destroy();
      throw new LogError('unavailable', `The log sent more than ${maxOctets} bytes, the maximum for this request.`);
    }
    parts.push(read);
  }
  return Buffer.concat(parts);
}

const inflate = promisify(gunzip);

async function unpack(octets: Uint8Array, maxOctets: number): Promise<Uint8Array> {
  try {
    return await inflate(octets, { maxOutputLength: maxOctets });
  } catch {
    throw new LogError(
      'unavailable',
      'The log sent a response that cannot be decompressed, or is too large after decompression.',
    );
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The log refused the connection.',
  ECONNRESET: 'The log closed the connection.',
  ENOTFOUND: 'The host name of the log cannot be resolved.',
  EAI_AGAIN: 'The host name of the log cannot be resolved at the moment.',
};

function reasonOf(error: unknown): string {
  const { code = '' } = (error ?? {}) as { code?: string };
  if (/CERT|TLS|SSL/.test(code)) return `The log has no trusted certificate for its host name (${code}).`;
  return WORDS[code] ?? 'Cannot reach the log.';
}
