// Orders of an ACME client for screenshots: issued, failed, and abandoned, with targets that their names resolve to.
import { createAcmeTestClient, type AcmeTestClient } from '../../packages/testkit/src/acme/acme-client.ts';
import type { AcmeAuthorization, AcmeOrder } from '../../packages/testkit/src/acme/acme-objects.ts';
import {
  startHttpChallengeServer,
  type HttpChallengeServer,
} from '../../packages/testkit/src/acme/challenge-servers.ts';
import { startDnsServer } from '../../packages/testkit/src/acme/dns-server.ts';
import { makeSigningRequest } from '../../packages/testkit/src/acme/signing-request.ts';

const REACHED = [
  'shop.example', 'www.shop.example', 'api.shop.example', 'static.shop.example', 'img.shop.example', 'mail.example',
  'payments-gateway-eu-central-1-blue-green-canary.platform.internal.example',
]; // prettier-ignore

export interface ChallengeTargets {
  /** Platform arguments that direct validation to these targets. */
  readonly args: readonly string[];
  readonly http: HttpChallengeServer;
  stop(): Promise<unknown>;
}

export async function startChallengeTargets(): Promise<ChallengeTargets> {
  const http = await startHttpChallengeServer();
  const zone = Object.fromEntries(REACHED.map((name) => [name, [{ type: 'A', address: '127.0.0.1' } as const]]));
  const dns = await startDnsServer(zone);
  return {
    args: [`--acme-http01-port=${http.port}`, `--acme-dns=${dns.address}:${dns.port}`],
    http,
    stop: () => Promise.all([http.stop(), dns.close()]),
  };
}

export async function placeSampleOrders(
  { http }: ChallengeTargets,
  directory: { readonly directoryUrl: string; readonly ca: string },
): Promise<void> {
  const client = createAcmeTestClient(directory);
  try {
    await client.newAccount({ contact: ['mailto:web-team@example.com'] });
    await issue(client, http, ['mail.example']);
    await issue(client, http, REACHED.slice(0, 5));
    await prove(client, http, ['gone.example']);
    await issue(client, http, REACHED.slice(-1));
    await client.newOrder(['shop.example']);
    await prove(client, http, ['new.shop.example', 'www.shop.example']);
  } finally {
    await client.close();
  }
}

async function issue(client: AcmeTestClient, http: HttpChallengeServer, names: readonly string[]): Promise<void> {
  const { url, order } = await prove(client, http, names);
  await client.finalize(order.finalize, (await makeSigningRequest({ names })).der);
  await client.pollUntil<AcmeOrder>(url, { until: ({ status }) => status === 'valid' });
}

async function prove(client: AcmeTestClient, http: HttpChallengeServer, names: readonly string[]) {
  const { location: url = '', body: order } = await client.newOrder(names);
  for (const authorizationUrl of order.authorizations) {
    const { body: authorization } = await client.authorization(authorizationUrl);
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
    if (authorization.status !== 'pending' || !challenge) continue;
    http.serve(challenge.token, client.keyAuthorization(challenge.token));
    await client.respond(challenge.url);
    await client.pollUntil<AcmeAuthorization>(authorizationUrl, { until: ({ status }) => status !== 'pending' });
  }
  return { url, order };
}
