// lego, in Go, also used as a client within other servers: every challenge type, renewal, revocation, external account
// binding.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  crossSignedProfile,
  keyedProfile,
  namesIn,
  sharedForeignClientServer,
  stateOf,
  topIssuer,
} from './testing/foreign-acme-clients.ts';
import { runForeign, skipNote, STORY_TIMEOUT_MS, succeed, versionOf } from './testing/foreign-programs.ts';

const VERSION = versionOf('lego');
const server = await sharedForeignClientServer();
const { acme } = server;

const names = (...hosts: readonly string[]) => hosts.flatMap((host) => ['--domains', host]);
const byHttp = () => ['--http', '--http.port', `127.0.0.1:${server.httpPort}`];
const byTls = () => ['--tls', '--tls.port', `127.0.0.1:${server.tlsPort}`];
const byDns = ['--dns', 'httpreq', '--dns.disable-cp'];

const options = () => ({
  folder: server.folder,
  environment: {
    LEGO_CA_CERTIFICATES: acme.server.ready.rootCertificate,
    HTTPREQ_ENDPOINT: server.dnsUrl,
    HTTPREQ_POLLING_INTERVAL: '1',
  },
});
const commonOptions = (directoryUrl: string) => [
  '--server',
  directoryUrl,
  '--accept-tos',
  '--email',
  'admin@example.com',
];
const lego = (...args: readonly string[]) =>
  succeed('lego', [...commonOptions(acme.server.ready.acmeDirectory), ...args], options());

/** lego names the certificate file after its first name. */
const certificateOf = async (name: string): Promise<X509Certificate> =>
  new X509Certificate(await readFile(join(server.folder, '.lego', 'certificates', `${name.replace('*', '_')}.crt`)));

describe.skipIf(VERSION === undefined)(`lego${skipNote('lego', VERSION)}`, { timeout: STORY_TIMEOUT_MS }, () => {
  it('gets a certificate for multiple names, renews and revokes it', async () => {
    const hosts = [acme.host('several'), acme.host('several')];
    const [first = ''] = hosts;
    await lego(...byHttp(), ...names(...hosts), 'run');
    const certificate = await certificateOf(first);
    expect(namesIn(certificate)).toEqual(hosts.toSorted());
    await lego(...byHttp(), ...names(first), 'renew', '--days', '400', '--no-random-sleep');
    const renewed = await certificateOf(first);
    expect(renewed.serialNumber).not.toBe(certificate.serialNumber);
    await lego(...names(first), 'revoke');
    expect([await stateOf(acme, certificate), await stateOf(acme, renewed)]).toEqual([
      'issued',
      'revoked: unspecified',
    ]);
  });

  it('gets its preferred chain from a cross-certified CA', async () => {
    const { directoryUrl, preferred } = await crossSignedProfile(acme);
    const host = acme.host('preferred');
    const folder = ['--path', 'choosing'];
    const run = [
      ...commonOptions(directoryUrl),
      ...folder,
      ...byHttp(),
      ...names(host),
      'run',
      '--preferred-chain',
      preferred,
    ];
    await succeed('lego', run, options());
    const chain = await readFile(join(server.folder, 'choosing', 'certificates', `${host}.crt`), 'utf8');
    expect(topIssuer(chain)).toBe(`CN=${preferred}`);
  });

  it('proves control with tls-alpn-01', async () => {
    const host = acme.host('alpn');
    await lego(...byTls(), ...names(host), 'run');
    expect(namesIn(await certificateOf(host))).toEqual([host]);
  });

  it('gets a wildcard certificate with dns-01 that includes the base name', async () => {
    const host = acme.host('wild');
    await lego(...byDns, ...names(`*.${host}`, host), 'run');
    expect(namesIn(await certificateOf(`*.${host}`))).toEqual([`*.${host}`, host]);
  });

  it('creates an account with an external account key, and gets an error without it', async () => {
    const { directoryUrl, keyId, macKey, keyState } = await keyedProfile(acme);
    const host = acme.host('bound');
    const run = [...commonOptions(directoryUrl), '--path', 'bound', ...byHttp(), ...names(host)];
    const bare = await runForeign('lego', [...run, 'run'], options());
    expect([bare.code, bare.output]).toEqual([1, expect.stringMatching(/external account binding/i)]);
    await succeed('lego', [...run, '--eab', '--kid', keyId, '--hmac', macKey, 'run'], options());
    expect(await keyState()).toBe('used');
  });
});
