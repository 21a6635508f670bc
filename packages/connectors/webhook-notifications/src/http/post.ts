// An HTTP request to a receiver, which is untrusted: connections are made only to checked addresses, redirects are not
// followed, and time and size are limited.
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectorContext } from '@signetry/connector-sdk';
import { withDeadline } from '@signetry/connector-sdk/notification';

export interface Receiver {
  readonly url: URL;
  /** PEM certificates. If absent, the CAs that this machine trusts are used. */
  readonly trustAnchors: string | undefined;
  /** Time limit for a request, including its response. */
  readonly timeoutMs: number;
}

export interface WebhookResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Beginning of the body. */
  readonly text: string;
}

/** Only the response status matters, but the beginning of the body can explain an error. */
const MAX_ANSWER_OCTETS = 4 * 1024;
/** Maximum number of concurrent requests to one receiver. */
const MAX_SOCKETS = 32;

/** Why a request received no response, without secrets. */
export class NoResponseError extends Error {}

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

  /** Throws `NoResponseError` if there is no response. */
  post(headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<WebhookResponse> {
    return withDeadline(signal, this.receiver.timeoutMs, async (deadline) => {
      this.underWay += 1;
      try {
        await this.assertReachable();
        return await this.exchange(headers, body, deadline.signal);
      } catch (error) {
        if (error instanceof NoResponseError) throw error;
        if (deadline.isOver())
          throw new NoResponseError(`it did not respond within ${this.receiver.timeoutMs / 1000} s`, { cause: error });
        throw new NoResponseError(reasonOf(error), { cause: error });
      } finally {
        this.underWay -= 1;
        if (this.isClosed) this.close();
      }
    });
  }

  /** Requests in progress can still complete. */
  close(): void {
    this.isClosed = true;
    if (this.underWay === 0) this.agent.destroy();
  }

  /** Throws `NoResponseError` if the receiver has no address, or if connections to its addresses are not allowed. */
  async assertReachable(): Promise<void> {
    // Node does no lookup for literal addresses; names are checked when they are looked up for the connection.
    if (isIP(this.host) !== 0) await this.addresses();
  }

  async addresses(): Promise<readonly { readonly address: string }[]> {
    try {
      if (this.resolveHost) return await this.resolveHost(this.host, this.port);
      return await lookup(this.host, { all: true });
    } catch (error) {
      const isOwn = error instanceof Error && !('code' in error);
      throw new NoResponseError(
        isOwn ? error.message.replace(/\.$/, '') : `the host name ${this.host} has no address`,
        {
          cause: error,
        },
      );
    }
  }

  private get host(): string {
    return this.receiver.url.hostname.replace(/^\[|\]$/g, '');
  }

  private get port(): number {
    return Number(this.receiver.url.port) || (this.receiver.url.protocol === 'https:' ? 443 : 80);
  }

  /**
   * A kept-alive connection may have just been closed. In that case, the request is sent again on a different
   * connection.
   */
  private async exchange(
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<WebhookResponse> {
    for (;;) {
      const request = this.open(headers, signal);
      try {
        const response = await sendRequest(request, body);
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

  /** Returns a lookup function that allows connections only to the checked addresses. */
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

function sendRequest(request: ClientRequest, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve).on('error', reject).end(body);
  return promise;
}

/** Returns the beginning of the body. If the response is longer, its connection is not reused. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let octets = 0;
  for await (const part of response) {
    const read = part as Uint8Array; // Chunks are bytes because no encoding is set.
    parts.push(read);
    octets += read.length;
    if (octets >= MAX_ANSWER_OCTETS) break; // Ends the response and its connection.
  }
  return Buffer.concat(parts).subarray(0, MAX_ANSWER_OCTETS).toString('utf8');
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'its network is unreachable',
  ENETUNREACH: 'its network is unreachable',
  ETIMEDOUT: 'the connection timed out',
};

function reasonOf(error: unknown): string {
  // An AggregateError means that the connection failed for multiple addresses.
  const one: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = codeOf(one);
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
    return `it has no certificate for this host that is trusted here (${code})`;
  if (code.startsWith('HPE_')) return 'it does not respond with HTTP';
  return WORDS[code] ?? 'it is unreachable';
}
