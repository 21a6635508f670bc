// ACME client that expects its platform to die at any moment. It knows the platform by its public name and, like a load
// balancer, learns before every request where a node listens. Every request is recorded in a ledger and can be replayed
// unchanged.
import { Agent, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { makeJws } from '../../../packages/testkit/src/acme/acme-jws.ts';
import { generateAcmeKey, keyAuthorization } from '../../../packages/testkit/src/acme/acme-key.ts';
import { record, type NonceOutcome, type NonceLedger, type NonceUse, type SignedRequest } from './nonce-ledger.ts';

export const PUBLIC_URL = 'http://acme.faults.test';
const DIRECTORY = '/api/v1/protocols/acme/default';
const JOSE = 'application/jose+json';
/** Exceeds every response time; a killed node does not respond. */
const TIMEOUT_MS = 30_000;

/** URL where a node currently listens, or undefined if it does not. */
export type Origin = () => string | undefined;

export interface AcmeResponse {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  /** Next page of a list. */
  readonly next: string | undefined;
  readonly nonce: string | undefined;
  /** Problem type without its prefix. */
  readonly problem: string | undefined;
}

/** The platform died before it responded, or was not running. */
export class ConnectionLost extends Error {
  readonly fate: 'lost' | 'unsent';

  constructor(path: string, fate: 'lost' | 'unsent') {
    super(`no response for ${path}`);
    this.fate = fate;
  }
}

export type FaultClient = ReturnType<typeof createFaultClient>;

export interface FaultClientOptions {
  readonly ledger: NonceLedger;
  readonly origin: Origin;
}

export function createFaultClient({ ledger, origin }: FaultClientOptions) {
  const key = generateAcmeKey();
  const wire = createWire();
  let accountUrl: string | undefined;

  async function freshNonce(): Promise<string> {
    const known = ledger.take();
    if (known !== undefined) return known;
    const { nonce } = await wire.send(origin(), { method: 'HEAD', path: `${DIRECTORY}/new-nonce` });
    if (nonce === undefined) throw new Error('newNonce returned no nonce.');
    return nonce;
  }

  /** Builds a request with an unused nonce, without sending it. A payload of `undefined` means POST-as-GET. */
  async function prepare(path: string, payload?: unknown, by: 'kid' | 'jwk' = 'kid'): Promise<NonceUse> {
    const nonce = await freshNonce();
    const named = by === 'jwk' ? { jwk: key.jwk } : { kid: accountUrl };
    const header = { alg: key.alg, ...named, nonce, url: PUBLIC_URL + path };
    return ledger.use(nonce, { path, body: JSON.stringify(makeJws({ header, payload, sign: key.sign })) });
  }

  /** Signs and sends a request, and returns the response unless it concerns the nonce. Throws `Lost`. */
  async function sendSigned(path: string, payload?: unknown, by?: 'jwk'): Promise<AcmeResponse> {
    const use = await prepare(path, payload, by);
    const { answer, fate } = await post(wire, { origin: origin(), request: use, ledger });
    record(use, fate);
    if (!answer) throw new ConnectionLost(path, fate === 'unsent' ? 'unsent' : 'lost');
    return answer;
  }

  return {
    key,
    wire,
    get accountUrl() {
      return accountUrl;
    },
    prepare,
    signed: sendSigned,
    /** Fetches nonces for later use. */
    async stockUp(count: number): Promise<void> {
      for (let handedOut = 0; handedOut < count; handedOut += 1) {
        const answer = await wire
          .send(origin(), { method: 'HEAD', path: `${DIRECTORY}/new-nonce` })
          .catch(() => undefined);
        if (answer?.nonce !== undefined) ledger.add(answer.nonce);
      }
    },
    /** Creates the account, or finds it if an earlier response was lost. */
    async account(): Promise<string> {
      if (accountUrl !== undefined) return accountUrl;
      const { status, location, text: body } = await sendSigned(`${DIRECTORY}/new-account`, {}, 'jwk');
      if ((status !== 201 && status !== 200) || location === undefined) throw new Error(`newAccount: ${body}`);
      accountUrl = location;
      return accountUrl;
    },
    newOrderPath: `${DIRECTORY}/new-order`,
    revokePath: `${DIRECTORY}/revoke-cert`,
    keyAuthorization: (token: string) => keyAuthorization(token, key),
  };
}

/** Returns the path of a URL that the platform issued under its public name. */
export function pathOf(url: string): string {
  if (!url.startsWith(`${PUBLIC_URL}/`)) throw new Error(`${url} is not below ${PUBLIC_URL}.`);
  return url.slice(PUBLIC_URL.length);
}

interface Post {
  readonly origin: string | undefined;
  readonly request: SignedRequest;
  readonly ledger: NonceLedger;
}

/** Sends or replays a signed request and stores the nonce of the response for later use. */
export async function post(
  wire: Wire,
  { origin, request: { path, body }, ledger }: Post,
): Promise<{ readonly answer?: AcmeResponse; readonly fate: NonceOutcome }> {
  try {
    const answer = await wire.send(origin, { method: 'POST', path, body });
    if (answer.nonce !== undefined) ledger.add(answer.nonce);
    if (answer.status >= 500) ledger.troubles.push(`${answer.status} for ${path}: ${answer.text.slice(0, 300)}`);
    // If the platform failed, it is unknown whether the nonce was consumed.
    const fate = answer.status >= 500 ? 'lost' : answer.problem === 'badNonce' ? 'badNonce' : 'judged';
    return { answer, fate };
  } catch (error) {
    if (error instanceof ConnectionLost) return { fate: error.fate };
    throw error;
  }
}

export interface Wire {
  send(
    origin: string | undefined,
    request: { readonly method: string; readonly path: string; readonly body?: string },
  ): Promise<AcmeResponse>;
  /** Closes idle connections. */
  close(): void;
}

const UNSENT_CODES = new Set(['ECONNREFUSED']);

/** HTTP over persistent connections. Rejects only with `Lost`. */
export function createWire(): Wire {
  const agent = new Agent({ keepAlive: true });
  return {
    async send(origin, { method, path, body }) {
      if (origin === undefined) throw new ConnectionLost(path, 'unsent');
      return new Promise((resolve, reject) => {
        const onLost = (error: NodeJS.ErrnoException): void =>
          reject(new ConnectionLost(path, UNSENT_CODES.has(error.code ?? '') ? 'unsent' : 'lost'));
        const headers = body === undefined ? {} : { 'content-type': JOSE, 'content-length': Buffer.byteLength(body) };
        const outgoing = httpRequest(origin + path, { method, headers, agent, timeout: TIMEOUT_MS }, (response) => {
          const { statusCode: status = 0, headers: received } = response;
          const nonce = received['replay-nonce'];
          text(response).then(
            (content) =>
              resolve({
                status,
                text: content,
                location: received.location,
                next: /<([^>]+)>;rel="next"/.exec(String(received['link'] ?? ''))?.[1],
                nonce: typeof nonce === 'string' ? nonce : undefined,
                problem: status < 400 ? undefined : problemOf(content),
              }),
            onLost,
          );
        });
        outgoing.on('timeout', () => outgoing.destroy(new Error('timed out')));
        outgoing.on('error', onLost);
        outgoing.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

const problemOf = (content: string): string | undefined =>
  /"type":"urn:ietf:params:acme:error:(\w+)"/.exec(content)?.[1];
