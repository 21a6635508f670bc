// Requirements of third-party ACME clients: a platform, ports for challenge responses, a way to set records in the DNS
// server, and external account keys; also access to the issued certificates.
import { randomInt, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { addAcmeProfile } from './acme-profiles.ts';
import { sharedAcmeServer, type AcmeTestServer } from './acme-server.ts';
import { crossSign } from './cross-signed.ts';
import { temporaryFolder } from './program.ts';

export interface ForeignClientServer {
  readonly acme: AcmeTestServer;
  /** Where http-01 and tls-alpn-01 are validated; clients listen there. */
  readonly httpPort: number;
  readonly tlsPort: number;
  /** For the clients' files; deleted with the test file. */
  readonly folder: string;
  /** Base URL of `POST /present` with `fqdn` and `value`, as sent by lego's provider httpreq and dns-hook.ts. */
  readonly dnsUrl: string;
}

/**
 * Writes a command that runs `dns-hook.ts` and returns its path. Clients split commands at spaces, and the path of a
 * clone can contain one.
 */
export async function writeDnsHook(folder: string): Promise<string> {
  const path = join(folder, 'dns-hook');
  const program = fileURLToPath(new URL('dns-hook.ts', import.meta.url));
  await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
  return path;
}

/** Starts it before the first test of the file and stops it after the last. */
export async function sharedForeignClientServer(): Promise<ForeignClientServer> {
  const httpPort = await unusedPort();
  const tlsPort = await unusedPort();
  const acme = sharedAcmeServer([`--acme-http01-port=${httpPort}`, `--acme-tls-alpn01-port=${tlsPort}`]);
  const folder = temporaryFolder();
  const dnsApi = createDnsApi(acme);
  beforeAll(async () => {
    dnsApi.listen(0, '127.0.0.1');
    await once(dnsApi, 'listening');
  });
  afterAll(() => void dnsApi.close());
  return {
    acme,
    httpPort,
    tlsPort,
    folder,
    get dnsUrl() {
      return `http://127.0.0.1:${(dnsApi.address() as AddressInfo).port}`; // Listens after beforeAll.
    },
  };
}

/** Starts a web server for the files that a client writes for http-01; creates the folder. */
export async function serveWebRoot(folder: string, port: number): Promise<Server> {
  await mkdir(folder);
  const server = createServer(async (request, response) => {
    const content = await readFile(join(folder, basename(request.url ?? ''))).catch(() => undefined);
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Below the ephemeral ports, so that no other program uses one between two runs of a client. */
const PORTS = { from: 20_000, to: 30_000 } as const;

export async function unusedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const probe = createTcpServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return port;
  }
}

function createDnsApi(acme: AcmeTestServer): Server {
  return createServer(async (request, response) => {
    const { zone } = acme.dns;
    // Sent by our own clients.
    const { fqdn, value } = JSON.parse(await text(request)) as { fqdn: string; value: string };
    const key = `${fqdn.replace(/\.$/, '')} TXT`;
    const present = Array.isArray(zone[key]) ? zone[key] : [];
    if (request.url === '/present') zone[key] = [...present, { type: 'TXT', strings: [value] }];
    response.end('{}');
  });
}

export interface KeyedProfile {
  readonly directoryUrl: string;
  readonly keyId: string;
  readonly macKey: string;
  keyState(): Promise<string | undefined>;
}

/** Creates a profile that accepts accounts only with the returned external account key. */
export async function keyedProfile(acme: AcmeTestServer): Promise<KeyedProfile> {
  const { uuid, directoryUrl } = await addAcmeProfile(acme, { externalAccountRequired: true });
  const { acmeEabKeys } = acme.server.client;
  const { keyId, macKey } = await acmeEabKeys.createAcmeEabKey({ params: { uuid }, body: {} });
  const keyState = async () => (await acmeEabKeys.listAcmeEabKeys({ params: { uuid } }))[0]?.state;
  return { directoryUrl, keyId, macKey, keyState };
}

let crossed = 0;

/** Creates a profile of a cross-signed authority; clients can prefer the chain of its second root. */
export async function crossSignedProfile(
  acme: AcmeTestServer,
): Promise<{ readonly directoryUrl: string; readonly preferred: string }> {
  const authority = await crossSign(acme.server.client, { name: `Crossed CA ${++crossed}` });
  await authority.trust(true);
  const { directoryUrl } = await addAcmeProfile(acme, { raProfileUuid: authority.raProfileUuid });
  return { directoryUrl, preferred: authority.secondRoot.name };
}

/** Returns the issuer of the last certificate in a file. */
export function topIssuer(pem: string): string {
  const [last = ''] = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\s*$/) ?? [];
  return new X509Certificate(last).issuer;
}

/**
 * Returns the state of a certificate in the inventory, with the reason if it is revoked, as in `revoked: superseded`.
 */
export async function stateOf(
  { server: { client } }: AcmeTestServer,
  { fingerprint256 }: X509Certificate,
): Promise<string> {
  const value = fingerprint256.replaceAll(':', '').toLowerCase();
  const filter = { fieldSource: 'property', fieldIdentifier: 'FINGERPRINT', condition: 'EQUALS', value } as const;
  const { certificates } = await client.certificates.listCertificates({ body: { filters: [filter] } });
  const { uuid, state } = certificates[0] ?? expect.fail('the certificate is not in the inventory');
  if (state !== 'revoked') return state;
  const [newest] = await client.certificates.getCertificateEventHistory({ params: { uuid } });
  return `revoked: ${String(newest?.additionalInformation?.['reason']?.['value'])}`;
}

/** Returns the DNS names and IP addresses of a certificate, sorted. */
export const namesIn = ({ subjectAltName = '' }: X509Certificate): string[] =>
  subjectAltName
    .split(', ')
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ''))
    .toSorted();
