// One HTTP request to a receiver, which may be anybody: only addresses that were checked are connected to, nothing is
// followed, and everything has an end.
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectorContext } from '@signetry/connector-sdk';
import { withDeadline } from '@signetry/connector-sdk/notification';

export interface Receiver {
  readonly url: URL;
  /** PEM; those of this machine where absent. */
  readonly trustAnchors: string | undefined;
  /** For a request with all of its answer. */
  readonly timeoutMs: number;
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The beginning of the body. */
  readonly text: string;
}

/** The answer counts by its status; what is read of its body may tell why. */
const MAX_ANSWER_OCTETS = 4 * 1024;
/** Requests to one receiver at the same time. */
const MAX_SOCKETS = 32;

/** What kept a request from being answered, in words without a secret. */
export class NoAnswer extends Error {}

export class Poster {
  private readonly receiver: Receiver;
  private readonly resolveHost: ConnectorContext['resolveHost'];
  private readonly agent: HttpAgent;
  private underWay = 0;
  private isClosed = false;

  constructor(receiver: Receiver, { resolveHost }: Pick<ConnectorContext, 'resolveHost'>) {
    this.receiver = receiver;
    this.resolveHost = resolveHost;
    const facts = { keepAlive: true, maxSockets: MAX_SOCKETS, lookup: this.lookup() };
    this.agent =
      receiver.url.protocol === 'https:'
        ? new HttpsAgent({ ...facts, ...(receiver.trustAnchors === undefined ? {} : { ca: receiver.trustAnchors }) })
        : new HttpAgent(facts);
  }

  /** Throws `NoAnswer`. */
  post(headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Answer> {
    return withDeadline(signal, this.receiver.timeoutMs, async (deadline) => {
      this.underWay += 1;
      try {
        await this.assertReachable();
        return await this.exchange(headers, body, deadline.signal);
      } catch (error) {
        if (error instanceof NoAnswer) throw error;
        if (deadline.isOver())
          throw new NoAnswer(`it did not answer within ${this.receiver.timeoutMs / 1000} s`, { cause: error });
        throw new NoAnswer(reasonOf(error), { cause: error });
      } finally {
        this.underWay -= 1;
        if (this.isClosed) this.close();
      }
    });
  }

  /** Requests that are under way may still end. */
  close(): void {
    this.isClosed = true;
    if (this.underWay === 0) this.agent.destroy();
  }

  /** Throws `NoAnswer` where the receiver has no address, or none that may be reached. */
  async assertReachable(): Promise<void> {
    // A literal address has no look-up in node; a name is looked up when it is connected to.
    if (isIP(this.host) !== 0) await this.addresses();
  }

  async addresses(): Promise<readonly { readonly address: string }[]> {
    try {
      if (this.resolveHost) return await this.resolveHost(this.host, this.port);
      return await lookup(this.host, { all: true });
    } catch (error) {
      const isOwn = error instanceof Error && !('code' in error);
      throw new NoAnswer(isOwn ? error.message.replace(/\.$/, '') : `the host name ${this.host} has no address`, {
        cause: error,
      });
    }
  }

  private get host(): string {
    return this.receiver.url.hostname.replace(/^\[|\]$/g, '');
  }

  private get port(): number {
    return Number(this.receiver.url.port) || (this.receiver.url.protocol === 'https:' ? 443 : 80);
  }

  /** A connection that was kept may have ended just now: the request then goes through another one. */
  private async exchange(
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    for (;;) {
      const request = this.open(headers, signal);
      try {
        const response = await answered(request, body);
        const text = await beginningOf(response);
        return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text };
      } catch (error) {
        if (signal.aborted || !request.reusedSocket || codeOf(error) !== 'ECONNRESET') throw error;
      }
    }
  }

  private open(headers: Readonly<Record<string, string>>, signal: AbortSignal): ClientRequest {
    const request = this.receiver.url.protocol === 'https:' ? httpsRequest : httpRequest;
    return request(this.receiver.url, { method: 'POST', agent: this.agent, headers: { ...headers }, signal });
  }

  /** The addresses that were checked are those that are connected to. */
  private lookup(): LookupFunction {
    return (_host, options, done) => {
      this.addresses().then(
        (all) => {
          const found = all.map(({ address }) => ({ address, family: isIP(address) }));
          if (options.all) done(null, found);
          else done(null, found[0]?.address ?? '', found[0]?.family);
        },
        (error: NodeJS.ErrnoException) => done(error, ''),
      );
    };
  }
}

function answered(request: ClientRequest, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve).on('error', reject).end(body);
  return promise;
}

/** The connection of an answer that is longer is not used again. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let octets = 0;
  for await (const part of response) {
    const read = part as Uint8Array; // no encoding is set
    parts.push(read);
    octets += read.length;
    if (octets >= MAX_ANSWER_OCTETS) break; // ends the response and its connection
  }
  return Buffer.concat(parts).subarray(0, MAX_ANSWER_OCTETS).toString('utf8');
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it ended the connection',
  EHOSTUNREACH: 'there is no way to its network',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'it cannot be connected to',
};

function reasonOf(error: unknown): string {
  // Several addresses were tried in vain.
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = codeOf(one);
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
    return `it has no certificate for its address that is trusted here (${code})`;
  if (code.startsWith('HPE_')) return 'it does not answer in HTTP';
  return WORDS[code] ?? 'it cannot be reached';
}
