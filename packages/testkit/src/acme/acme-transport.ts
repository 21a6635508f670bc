// HTTP for the test client: any method, headers and bytes, over persistent connections, trusting one root.
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';

export interface AcmeReply<Body = unknown> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Value of a JSON response; otherwise the text. */
  readonly body: Body;
  /** Problem type without its prefix: `badNonce`. The full type if it is not an ACME type. */
  readonly problem: string | undefined;
  readonly location: string | undefined;
  readonly nonce: string | undefined;
  /** URLs of `Link` headers by relation. */
  readonly links: ReadonlyMap<string, readonly string[]>;
}

export interface RawRequest {
  readonly method?: string;
  /** An undefined header is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
}

export interface AcmeTransport {
  send(url: string, request?: RawRequest): Promise<AcmeReply>;
  /** Closes persistent connections. */
  close(): void;
}

/** Clients must identify themselves (RFC 8555 §6.1). */
const USER_AGENT = 'signetry-testkit';
const TIMEOUT_MS = 30_000;
const PROBLEM_PREFIX = 'urn:ietf:params:acme:error:';

export function createAcmeTransport(options: { ca?: string | Uint8Array } = {}): AcmeTransport {
  const ca = options.ca === undefined ? undefined : Buffer.from(options.ca);
  const plain = new HttpAgent({ keepAlive: true });
  const secure = new HttpsAgent({ keepAlive: true, ...(ca !== undefined && { ca }) });

  function open(url: string, { method = 'GET', headers = {} }: RawRequest): ClientRequest {
    const all = { 'user-agent': USER_AGENT, ...headers };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const common = { method, headers: sent, timeout: TIMEOUT_MS };
    const outgoing = url.startsWith('https:')
      ? httpsRequest(url, { ...common, agent: secure })
      : httpRequest(url, { ...common, agent: plain });
    return outgoing.on('timeout', () => outgoing.destroy(new Error(`${url} did not respond.`)));
  }

  return {
    async send(url, request = {}) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        open(url, request).on('response', resolve).on('error', reject).end(request.body);
      });
      return readReply(response, await text(response));
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

function readReply({ statusCode = 0, headers }: IncomingMessage, content: string): AcmeReply {
  const body = /^application\/(?:[\w.-]+\+)?json\b/.test(headers['content-type'] ?? '') ? parse(content) : content;
  const nonce = headers['replay-nonce'];
  return {
    status: statusCode,
    headers,
    text: content,
    body,
    problem: problemOf(body),
    location: headers.location,
    nonce: typeof nonce === 'string' ? nonce : undefined,
    links: linksOf(headers.link),
  };
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content; // a test that expects JSON then shows the text
  }
}

function problemOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('type' in body) || typeof body.type !== 'string') return undefined;
  // Identifiers and challenges also have a type; that of a problem is a URI.
  if (body.type.startsWith(PROBLEM_PREFIX)) return body.type.slice(PROBLEM_PREFIX.length);
  return body.type.includes(':') ? body.type : undefined;
}

function linksOf(header: string | string[] | undefined): ReadonlyMap<string, readonly string[]> {
  const links = new Map<string, string[]>();
  for (const [, url = '', relation = ''] of [header ?? '']
    .flat()
    .join()
    .matchAll(/<([^>]*)>\s*;\s*rel="?([\w-]+)"?/g)) {
    links.set(relation, [...(links.get(relation) ?? []), url]);
  }
  return links;
}
