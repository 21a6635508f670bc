// Cost of authenticating a request: the gatekeeper repeatedly checks one request of a real connection. Its cache
// entries expire after some seconds, as in production.
import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { createServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { authenticationSettingsOperations, identityProviderOperations, type Operation } from '@signetry/contract';
import { Database, openSocketDirectory } from '@signetry/server/database';
import { createAttributeEngine } from '../../packages/server/src/areas/attributes/index.ts';
import { createAuditArea } from '../../packages/server/src/areas/audit/index.ts';
import { createIdentityArea, type UserCertificate } from '../../packages/server/src/areas/identity/index.ts';
import { selfSigned } from '../../packages/server/src/areas/identity/testing/self-signed.ts';
import { coreContextFor } from '../../packages/server/src/kernel/actor.ts';
import { createHttpServer } from '../../packages/server/src/platform/http/server.ts';
import { startTestCluster, TEMPLATE_DATABASE } from '../../packages/testkit/src/test-cluster.ts';
import { testPlatform } from '../../packages/testkit/src/test-platform-services.ts';
import type { BenchmarkReport, Figure } from './report.ts';

const ISSUER = 'https://id.example';
const HOUR_MS = 3_600_000;

type Headers = Readonly<Record<string, string>>;

export async function benchAuthentication(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const seconds = Number(options.get('seconds') ?? 5);
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const connection = { host: socket.path, port, user, password, database: TEMPLATE_DATABASE };
  const database = new Database({ connection, onError: () => undefined });
  try {
    return {
      name: 'Authentication of a request',
      figures: await measure(database, seconds),
      notes: [
        `Means over ${seconds} s each of the gatekeeper in the process, over those of a request without a credential. The client certificate is that of a connection that goes on; the token of the provider was verified before.`,
      ],
    };
  } finally {
    await database.close();
    socket.close();
    await cluster.stop();
  }
}

async function measure(database: Database, seconds: number): Promise<Figure[]> {
  const { area, certificateOf } = await newArea(database);
  const server = createHttpServer({ isServedHost: () => true, trustedProxies: [], onFault: () => undefined });
  server.get('/measure', (request) => meanOf(() => area.gatekeeper.authenticate(request), seconds));
  area.http?.(server);
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  const identity = await selfSigned('CN=bench');
  const tls = createServer({ ...identity, requestCert: true, rejectUnauthorized: false }, (request, reply) =>
    server.routing(request, reply),
  );
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
  await certificateOf(identity.der);
  const tlsPort = (tls.address() as AddressInfo).port; // The server listens on TCP.
  try {
    const plain = async (headers: Headers = {}) => Number(await (await fetch(`${origin}/measure`, { headers })).text());
    const anonymous = await plain();
    const { token } = await area.createAccessToken({ username: 'admin', name: 'bench' });
    const means: readonly (readonly [string, number, number])[] = [
      ['browser session', await plain({ cookie: await sessionOf(area, origin) }), 0.3],
      ['access token on the platform', await plain({ authorization: `Bearer ${token.reveal()}` }), 0.15],
      ['client certificate', Number(await overTls(tlsPort, identity)), 0.2],
      ['token of an identity provider', await plain({ authorization: `Bearer ${await providerToken(area)}` }), 0.3],
    ];
    return means.map(([name, value, goal]) => ({ name, value: value - anonymous, unit: 'ms', goal: `<= ${goal}` }));
  } finally {
    tls.close();
    await server.close();
  }
}

/** Returns the mean time per call in milliseconds, after a warm-up. */
async function meanOf(call: () => Promise<unknown>, seconds: number): Promise<string> {
  const run = async (limitMs: number) => {
    const started = performance.now();
    let count = 0;
    for (; performance.now() - started < limitMs; count += 1) await call();
    return (performance.now() - started) / count;
  };
  await run(1_000);
  return String(await run(seconds * 1_000));
}

type Area = Awaited<ReturnType<typeof newArea>>['area'];

async function newArea(database: Database) {
  const platform = testPlatform(database);
  let known: UserCertificate | undefined;
  const find = async () => known;
  const area = createIdentityArea(platform, {
    audit: createAuditArea(platform).trail,
    attributes: createAttributeEngine(platform),
    userCertificates: () => ({ findByFingerprint: find, findByUuid: find, upload: () => Promise.reject(new Error('no')) }),
    objectNames: () => ({}),
    belongings: () => ({}),
  }); // prettier-ignore
  await area.seed();
  await area.ensureFirstAdministrator('admin');
  async function certificateOf(der: Uint8Array): Promise<void> {
    const fingerprint = createHash('sha256').update(der).digest('hex');
    const uuid = randomUUID();
    const validity = { notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + HOUR_MS) };
    const state = { state: 'issued', archived: false, revoked: false } as const;
    known = { uuid, fingerprint, ...state, ...validity, subjectDn: 'CN=bench', raProfileUuid: null };
    await database.query(
      "UPDATE platform_user SET certificate_uuid = $1, certificate_fingerprint = $2 WHERE username = 'admin'",
      [uuid, fingerprint],
    );
  }
  return { area, certificateOf };
}

async function sessionOf(area: Area, origin: string): Promise<string> {
  const { path } = await area.issueSignInLink('admin');
  const { headers } = await fetch(origin + path.reveal(), { method: 'POST', redirect: 'manual' });
  return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

const overTls = (port: number, identity: { readonly cert: string; readonly key: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const { cert, key } = identity;
    const facts = { host: '127.0.0.1', port, path: '/measure', cert, key, rejectUnauthorized: false, agent: false };
    const request = httpsRequest(facts, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
    request.end();
  });

/** Configures an identity provider with stored keys, and returns a token from it. */
async function providerToken(area: Area): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench' }];
  const params = { providerName: 'bench' };
  const jwkSet = Buffer.from(JSON.stringify({ keys })).toString('base64');
  const { updateOAuth2ProviderSettings } = authenticationSettingsOperations;
  await call(area, updateOAuth2ProviderSettings, { params, body: { issuerUrl: ISSUER, jwkSet } });
  const provisioning = {
    createUnknownUsers: true,
    createUnknownRoles: false,
    syncPolicy: 'create-only',
    grantedRoleUuids: [],
  };
  await call(area, identityProviderOperations.updateProviderProvisioning, { params, body: provisioning });
  return signedToken(privateKey);
}

function signedToken(key: KeyObject): string {
  const text = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const exp = Math.floor((Date.now() + HOUR_MS) / 1000);
  const roles = Array.from({ length: 20 }, (_, index) => `role ${index}`);
  const signed = `${text({ alg: 'RS256', kid: 'bench', typ: 'JWT' })}.${text({ iss: ISSUER, sub: 'bench', username: 'bench', exp, roles })}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/** Calls an operation of the area as the platform, without the gatekeeper. */
async function call(area: Area, operation: Operation, input: object): Promise<void> {
  const route = area.routes?.find((each) => each.operation === operation);
  await route?.handle({ ...input, context: coreContextFor(operation) } as unknown as Parameters<
    typeof route.handle
  >[0]);
}
