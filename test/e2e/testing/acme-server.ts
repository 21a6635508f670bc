// A platform with everything that ACME needs: targets for http-01 and tls-alpn-01 on free ports, and a DNS server that
// resolves every name of the test to them.
import { readFile } from 'node:fs/promises';
import {
  createAcmeTestClient,
  dnsChallengeValue,
  makeSigningRequest,
  startDnsServer,
  startHttpChallengeServer,
  startTlsAlpnChallengeServer,
  type AcmeAuthorization,
  type AcmeOrder,
  type AcmeReply,
  type AcmeTestClient,
  type AcmeTestClientOptions,
  type DnsServer,
  type HttpChallengeServer,
  type SigningRequest,
  type SigningRequestOptions,
  type TlsAlpnChallengeServer,
} from '@signetry/testkit/acme';
import { sharedTestServer, type TestServer, type TestServerOptions } from '@signetry/testkit/platform';
import { afterAll, expect } from 'vitest';

export interface AcmeTestServer {
  readonly server: TestServer;
  readonly http: HttpChallengeServer;
  readonly alpn: TlsAlpnChallengeServer;
  readonly dns: DnsServer;
  /** Returns a unique name that resolves to the targets. */
  host(name: string): string;
  /** Creates a client without an account, for the profile `default` unless another directory is specified. */
  client(options?: Partial<AcmeTestClientOptions>): Promise<AcmeTestClient>;
  /** Creates a client with a new account. */
  account(options?: Partial<AcmeTestClientOptions>): Promise<AcmeTestClient>;
  /** Completes a challenge of an authorization; returns the resulting authorization. */
  prove(client: AcmeTestClient, authorizationUrl: string, type?: ChallengeName): Promise<AcmeAuthorization>;
  /** Creates an order for the names, or with the given payload, and proves control of them. */
  readyOrder(client: AcmeTestClient, wanted: readonly string[] | object, type?: ChallengeName): Promise<PlacedOrder>;
  /** Runs an order through to the certificate. */
  issue(client: AcmeTestClient, names: readonly string[], options?: IssueOptions): Promise<IssuedOrder>;
}

export type ChallengeName = 'http-01' | 'dns-01' | 'tls-alpn-01';

export interface PlacedOrder {
  readonly url: string;
  readonly order: AcmeOrder;
}

export interface IssueOptions extends SigningRequestOptions {
  readonly challenge?: ChallengeName;
}

export interface IssuedOrder extends PlacedOrder {
  readonly request: SigningRequest;
  readonly certificateUrl: string;
  /** PEM of the certificate and its issuers. */
  readonly chain: string;
}

/** Starts it before the first test of the file and stops it after the last. */
export function sharedAcmeServer(
  args: readonly string[] = [],
  { console = false }: Pick<TestServerOptions, 'console'> = {},
): AcmeTestServer {
  const around: SharedServices = {};
  const server = sharedTestServer({
    console,
    args: async () => {
      around.http = await startHttpChallengeServer();
      around.alpn = await startTlsAlpnChallengeServer();
      around.dns = await startDnsServer();
      return [
        `--acme-http01-port=${around.http.port}`,
        `--acme-tls-alpn01-port=${around.alpn.port}`,
        `--acme-dns=${around.dns.address}:${around.dns.port}`,
        ...args,
      ];
    },
  });
  const shared = new SharedAcmeServer(server, around);
  afterAll(() => shared.stop());
  return shared;
}

/** Available after `beforeAll`. */
interface SharedServices {
  http?: HttpChallengeServer;
  alpn?: TlsAlpnChallengeServer;
  dns?: DnsServer;
}

const requirePresent = <Part>(part: Part | undefined): Part =>
  part ?? expect.unreachable('it is there from beforeAll on');

class SharedAcmeServer implements AcmeTestServer {
  readonly server: TestServer;
  private readonly around: SharedServices;
  private readonly clients: AcmeTestClient[] = [];
  private names = 0;

  constructor(server: TestServer, around: SharedServices) {
    this.server = server;
    this.around = around;
  }

  get http(): HttpChallengeServer {
    return requirePresent(this.around.http);
  }

  get alpn(): TlsAlpnChallengeServer {
    return requirePresent(this.around.alpn);
  }

  get dns(): DnsServer {
    return requirePresent(this.around.dns);
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.close();
    await Promise.all([this.around.http?.stop(), this.around.alpn?.stop(), this.around.dns?.close()]);
  }

  host(name: string): string {
    this.names += 1;
    const host = `${name}-${this.names}.acme.test`;
    this.dns.zone[host] = [{ type: 'A', address: '127.0.0.1' }];
    return host;
  }

  async client(options: Partial<AcmeTestClientOptions> = {}): Promise<AcmeTestClient> {
    const client = createAcmeTestClient({
      directoryUrl: this.server.ready.acmeDirectory,
      ca: await readFile(this.server.ready.rootCertificate),
      ...options,
    });
    this.clients.push(client);
    return client;
  }

  async account(options?: Partial<AcmeTestClientOptions>): Promise<AcmeTestClient> {
    const client = await this.client(options);
    const reply = await client.newAccount();
    expect(reply.status, reply.text).toBe(201);
    return client;
  }

  async prove(
    client: AcmeTestClient,
    authorizationUrl: string,
    type: ChallengeName = 'http-01',
  ): Promise<AcmeAuthorization> {
    const { body: authorization } = await client.authorization(authorizationUrl);
    if (authorization.status === 'valid') return authorization;
    const challenge = authorization.challenges.find((each) => each.type === type);
    if (!challenge) return expect.unreachable(`no ${type} is offered for ${authorization.identifier.value}`);
    const proof = client.keyAuthorization(challenge.token);
    if (type === 'http-01') this.http.serve(challenge.token, proof);
    else if (type === 'tls-alpn-01') this.alpn.serve(authorization.identifier.value, proof);
    else
      addTxt(
        this.dns,
        `_acme-challenge.${authorization.identifier.value}`,
        dnsChallengeValue(challenge.token, client.key),
      );
    await client.respond(challenge.url);
    const done = await client.pollUntil<AcmeAuthorization>(authorizationUrl, {
      until: ({ status }) => status !== 'pending',
    });
    return done.body;
  }

  async readyOrder(
    client: AcmeTestClient,
    wanted: readonly string[] | object,
    type?: ChallengeName,
  ): Promise<PlacedOrder> {
    const placed = await client.newOrder(wanted);
    expect(placed.status, placed.text).toBe(201);
    for (const url of placed.body.authorizations) {
      const { status, ...rest } = await this.prove(client, url, type);
      expect(status, JSON.stringify(rest)).toBe('valid');
    }
    return { url: placed.location ?? '', order: placed.body };
  }

  async issue(
    client: AcmeTestClient,
    wanted: readonly string[],
    { challenge, ...csr }: IssueOptions = {},
  ): Promise<IssuedOrder> {
    const placed = await this.readyOrder(client, wanted, challenge);
    const request = await makeSigningRequest({ names: wanted, ...csr });
    const order = await finalizeAndWait(client, placed, request);
    const certificateUrl = order.body.certificate ?? expect.unreachable(order.text);
    const download = await client.download(certificateUrl);
    return { url: placed.url, order: order.body, request, certificateUrl, chain: download.text };
  }
}

async function finalizeAndWait(
  client: AcmeTestClient,
  { url, order }: PlacedOrder,
  { der }: SigningRequest,
): Promise<AcmeReply<AcmeOrder>> {
  const finalized = await client.finalize(order.finalize, der);
  expect(finalized.status, finalized.text).toBe(200);
  if (finalized.body.status !== 'processing') return finalized;
  return client.pollUntil<AcmeOrder>(url, { until: ({ status }) => status !== 'processing' });
}

/** Adds a TXT record, and keeps records of other challenges at the same name. */
function addTxt({ zone }: DnsServer, name: string, value: string): void {
  const requirePresent = zone[`${name} TXT`];
  zone[`${name} TXT`] = [...(Array.isArray(requirePresent) ? requirePresent : []), { type: 'TXT', strings: [value] }];
}
