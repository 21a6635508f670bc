// ACME client (RFC 8555) for tests and benchmarks, over real sockets. It does what the test requests: it rejects
// nothing, retries nothing and trusts every response, so that tests see what the platform does.
import { setTimeout as delay } from 'node:timers/promises';
import { base64url, bindExternalAccount, makeJws, type ExternalAccount, type JwsOverrides } from './acme-jws.ts';
import { createAcmeTransport, type AcmeReply, type RawRequest } from './acme-transport.ts';
import { generateAcmeKey, keyAuthorization, type AcmeTestKey } from './acme-key.ts';
import {
  orderOf,
  type AcmeAccount,
  type AcmeAuthorization,
  type AcmeChallenge,
  type AcmeDirectory,
  type AcmeOrder,
} from './acme-objects.ts';
import { patience } from '../patience.ts';

export interface AcmeTestClientOptions {
  readonly directoryUrl: string;
  /** Root certificate of the platform in PEM. */
  readonly ca?: string | Uint8Array;
  /** Account key; default: a new P-256 key. */
  readonly key?: AcmeTestKey;
  /** URL of an existing account. */
  readonly accountUrl?: string;
}

export interface SignedOverrides extends JwsOverrides {
  /** Signing key; default: the account key. */
  readonly key?: AcmeTestKey;
  /** How the header identifies the key: `kid` once there is an account. To send both or neither, use `header`. */
  readonly by?: 'jwk' | 'kid';
  /** Replaces the text that is sent. Receives the JSON of the JWS. */
  readonly body?: (json: string) => string | Uint8Array;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface KeyChangeOverrides {
  readonly inner?: JwsOverrides;
  readonly outer?: SignedOverrides;
  /** Changes the payload, which has the members `account` and `oldKey`. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

export interface PollOptions<Body> {
  readonly until: (body: Body, reply: AcmeReply<Body>) => boolean;
  /** Default: 10 s. */
  readonly timeoutMs?: number;
  /** The client ignores `Retry-After`. */
  readonly intervalMs?: number;
}

const POLL_TIMEOUT_MS = 10_000 * patience;
const POLL_INTERVAL_MS = 25;

export const createAcmeTestClient = (options: AcmeTestClientOptions): AcmeTestClient => new AcmeTestClient(options);

export class AcmeTestClient {
  key: AcmeTestKey;
  accountUrl: string | undefined;
  private readonly transport: ReturnType<typeof createAcmeTransport>;
  private readonly directoryUrl: string;
  private readonly nonces: string[] = [];
  private known: Promise<AcmeDirectory> | undefined;

  constructor(options: AcmeTestClientOptions) {
    this.transport = createAcmeTransport(options);
    this.directoryUrl = options.directoryUrl;
    this.key = options.key ?? generateAcmeKey();
    this.accountUrl = options.accountUrl;
  }

  /** Sends a request without a signature. */
  async request(url: string, raw: RawRequest = {}): Promise<AcmeReply> {
    const reply = await this.transport.send(url, raw);
    if (reply.nonce !== undefined) this.nonces.push(reply.nonce);
    return reply;
  }

  /** Returns the directory, which is fetched once. */
  directory(): Promise<AcmeDirectory> {
    // a test fails at the first missing URL
    this.known ??= this.request(this.directoryUrl).then((reply) => reply.body as AcmeDirectory);
    return this.known;
  }

  /** Returns an unused nonce: from an earlier response, or a new one. */
  async takeNonce(): Promise<string> {
    const kept = this.nonces.pop();
    if (kept !== undefined) return kept;
    await this.request((await this.directory()).newNonce, { method: 'HEAD' });
    return this.nonces.pop() ?? '';
  }

  /**
   * Signs and sends a request. A payload of `undefined` means POST-as-GET. The test states the type of the response
   * body.
   */
  async signed<Body = unknown>(
    url: string,
    payload?: unknown,
    overrides: SignedOverrides = {},
  ): Promise<AcmeReply<Body>> {
    const { key: signer = this.key, by = this.accountUrl === undefined ? 'jwk' : 'kid', header = {} } = overrides;
    const jws = makeJws(
      {
        header: {
          alg: signer.alg,
          ...(by === 'jwk' ? { jwk: signer.jwk } : { kid: this.accountUrl }),
          ...('nonce' in header ? {} : { nonce: await this.takeNonce() }),
          url,
        },
        payload,
        sign: signer.sign,
      },
      overrides,
    );
    const json = JSON.stringify(jws);
    const reply = await this.request(url, {
      method: overrides.method ?? 'POST',
      headers: { 'content-type': 'application/jose+json', ...overrides.headers },
      body: overrides.body?.(json) ?? json,
    });
    return reply as AcmeReply<Body>;
  }

  /** Creates or finds the account and stores its URL. */
  async newAccount(
    payload: Readonly<Record<string, unknown>> = { termsOfServiceAgreed: true },
    overrides: SignedOverrides = {},
  ): Promise<AcmeReply<AcmeAccount>> {
    const reply = await this.signed<AcmeAccount>((await this.directory()).newAccount, payload, {
      by: 'jwk',
      ...overrides,
    });
    if (reply.status < 300 && reply.location !== undefined) this.accountUrl = reply.location;
    return reply;
  }

  /** Returns the value of `externalAccountBinding` for `newAccount`. */
  async eab(account: ExternalAccount, overrides: JwsOverrides = {}): Promise<unknown> {
    return bindExternalAccount({ account, url: (await this.directory()).newAccount, jwk: this.key.jwk }, overrides);
  }

  /** Orders names and IP addresses, or sends the specified payload. */
  async newOrder(wanted: readonly string[] | object, overrides: SignedOverrides = {}): Promise<AcmeReply<AcmeOrder>> {
    return await this.signed((await this.directory()).newOrder, orderOf(wanted), overrides);
  }

  /** Changes the account key. Uses the new key once the platform has accepted it. */
  async keyChange(newKey: AcmeTestKey, overrides: KeyChangeOverrides = {}): Promise<AcmeReply> {
    const url = (await this.directory()).keyChange;
    const inner = makeJws(
      {
        header: { alg: newKey.alg, jwk: newKey.jwk, url },
        payload: { account: this.accountUrl, oldKey: this.key.jwk, ...overrides.payload },
        sign: newKey.sign,
      },
      overrides.inner,
    );
    const reply = await this.signed(url, inner, overrides.outer);
    if (reply.status === 200) this.key = newKey;
    return reply;
  }

  /** Polls an object. Rejects with the last response if it did not reach the expected state in time. */
  async pollUntil<Body>(url: string, poll: PollOptions<Body>): Promise<AcmeReply<Body>> {
    const endMs = performance.now() + (poll.timeoutMs ?? POLL_TIMEOUT_MS);
    for (;;) {
      const reply = await this.signed<Body>(url);
      if (poll.until(reply.body, reply)) return reply;
      if (performance.now() > endMs) throw new Error(`${url} did not reach the expected state: ${reply.text}`);
      await delay(poll.intervalMs ?? POLL_INTERVAL_MS);
    }
  }

  updateAccount(payload: unknown, overrides?: SignedOverrides): Promise<AcmeReply<AcmeAccount>> {
    return this.signed<AcmeAccount>(this.accountUrl ?? '', payload, overrides);
  }

  order(url: string, overrides?: SignedOverrides): Promise<AcmeReply<AcmeOrder>> {
    return this.signed<AcmeOrder>(url, undefined, overrides);
  }

  authorization(url: string, overrides?: SignedOverrides): Promise<AcmeReply<AcmeAuthorization>> {
    return this.signed<AcmeAuthorization>(url, undefined, overrides);
  }

  /** Notifies the server that the challenge is ready for validation. */
  respond(challengeUrl: string, overrides?: SignedOverrides): Promise<AcmeReply<AcmeChallenge>> {
    return this.signed<AcmeChallenge>(challengeUrl, {}, overrides);
  }

  keyAuthorization(token: string): string {
    return keyAuthorization(token, this.key);
  }

  /** Submits a CSR in DER. */
  finalize(url: string, csr: Uint8Array): Promise<AcmeReply<AcmeOrder>> {
    return this.signed<AcmeOrder>(url, { csr: base64url(csr) });
  }

  /** Downloads the chain in PEM, or in the format requested with `accept`. */
  download(url: string, accept?: string): Promise<AcmeReply<string>> {
    return this.signed<string>(url, undefined, { headers: { accept } });
  }

  /** Revokes with the account's key, or with the certificate's: `{ key, by: 'jwk' }`. */
  async revoke(
    certificate: Uint8Array,
    { reason, ...overrides }: SignedOverrides & { reason?: number } = {},
  ): Promise<AcmeReply> {
    const { revokeCert } = await this.directory();
    return await this.signed(revokeCert, { certificate: base64url(certificate), reason }, overrides);
  }

  close(): void {
    this.transport.close();
  }
}
