// certbot as users run it: accounts, certificates by http-01 and dns-01, renewal, revocation, external account binding.
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rootOf } from './testing/certificates.ts';
import {
  crossSignedProfile,
  keyedProfile,
  namesIn,
  sharedForeignClientServer,
  stateOf,
  topIssuer,
  writeDnsHook,
} from './testing/foreign-acme-clients.ts';
import { runForeign, skipNote, STORY_TIMEOUT_MS, succeed, versionOf } from './testing/foreign-programs.ts';

const VERSION = versionOf('certbot');
const server = await sharedForeignClientServer();
const { acme } = server;
let made = 0;

interface Certbot {
  /** Runs certbot, which must succeed; returns its output. */
  run(...args: readonly string[]): Promise<string>;
  /** Runs certbot, which must fail; returns its output. */
  fail(...args: readonly string[]): Promise<string>;
  path(lineage: string, file: string): string;
  certificate(lineage: string): Promise<X509Certificate>;
}

/** A certbot with its own folders, hence its own account. */
function newCertbot(directoryUrl: string = acme.server.ready.acmeDirectory): Certbot {
  const folder = join(server.folder, `certbot-${++made}`);
  const folders = ['config', 'work', 'logs'].flatMap((name) => [`--${name}-dir`, join(folder, name)]);
  const usual = ['--non-interactive', '--server', directoryUrl, ...folders];
  const options = {
    folder: server.folder,
    environment: { REQUESTS_CA_BUNDLE: acme.server.ready.rootCertificate, DNS_URL: server.dnsUrl },
  };
  const path = (lineage: string, file: string) => join(folder, 'config', 'live', lineage, file);
  return {
    run: (...args) => succeed('certbot', [...args, ...usual], options),
    async fail(...args) {
      const { code, output } = await runForeign('certbot', [...args, ...usual], options);
      expect(code, output).toBe(1);
      return output;
    },
    path,
    certificate: async (lineage) => new X509Certificate(await readFile(path(lineage, 'cert.pem'))),
  };
}

const newAccount = ['--agree-tos', '--no-eff-email', '-m', 'admin@example.com'];
const standalone = () => ['--standalone', '--http-01-port', `${server.httpPort}`, '--http-01-address', '127.0.0.1'];
const names = (...hosts: readonly string[]) => hosts.flatMap((host) => ['-d', host]);

describe.skipIf(VERSION === undefined)(`certbot${skipNote('certbot', VERSION)}`, { timeout: STORY_TIMEOUT_MS }, () => {
  let certbot: Certbot;

  beforeAll(async () => {
    certbot = newCertbot();
    await certbot.run('register', ...newAccount);
  });

  const issue = (client: Certbot, hosts: readonly string[], ...args: readonly string[]) =>
    client.run('certonly', ...standalone(), ...names(...hosts), ...args);

  it('gets a certificate for one name, with a chain to the root', async () => {
    const host = acme.host('one');
    await issue(certbot, [host], '--key-type', 'rsa');
    const certificate = await certbot.certificate(host);
    const root = await rootOf(acme.server.ready);
    expect(namesIn(certificate)).toEqual([host]);
    expect(certificate.publicKey.asymmetricKeyType).toBe('rsa');
    expect(certificate.verify(root.publicKey)).toBe(true);
    expect(await readFile(certbot.path(host, 'chain.pem'), 'utf8')).toContain('BEGIN CERTIFICATE');
  });

  it('gets a certificate for multiple names, and renews it on demand', async () => {
    const hosts = [acme.host('several'), acme.host('several')];
    await issue(certbot, hosts);
    const [lineage = ''] = hosts;
    const first = await certbot.certificate(lineage);
    expect(namesIn(first)).toEqual(hosts.toSorted());
    await certbot.run('renew', '--no-random-sleep-on-renew', '--cert-name', lineage, '--force-renewal');
    const second = await certbot.certificate(lineage);
    expect(namesIn(second)).toEqual(hosts.toSorted());
    expect(second.serialNumber).not.toBe(first.serialNumber);
  });

  it('gets a wildcard certificate with dns-01', async () => {
    const host = acme.host('wild');
    const hook = await writeDnsHook(server.folder);
    const hooks = ['--manual', '--preferred-challenges', 'dns', '--manual-auth-hook', `${hook} deploy_challenge`];
    await certbot.run('certonly', ...hooks, ...names(`*.${host}`, host));
    expect(namesIn(await certbot.certificate(host))).toEqual([`*.${host}`, host]);
  });

  it('gets its preferred chain from a cross-certified CA, and the default chain without a preference', async () => {
    const { directoryUrl, preferred } = await crossSignedProfile(acme);
    const choosing = newCertbot(directoryUrl);
    const hosts = [acme.host('preferred'), acme.host('usual')] as const;
    await issue(choosing, [hosts[0]], ...newAccount, '--preferred-chain', preferred);
    await issue(choosing, [hosts[1]]);
    const tops = hosts.map(async (host) => topIssuer(await readFile(choosing.path(host, 'fullchain.pem'), 'utf8')));
    expect(await Promise.all(tops)).toEqual([`CN=${preferred}`, 'CN=Signetry Root']);
  });

  it('revokes with its account key, and renews a certificate that it finds revoked', async () => {
    const host = acme.host('revoked');
    await issue(certbot, [host]);
    const first = await certbot.certificate(host);
    await certbot.run('revoke', '--cert-name', host, '--reason', 'superseded', '--no-delete-after-revoke');
    expect(await stateOf(acme, first)).toBe('revoked: superseded');
    await certbot.run('renew', '--no-random-sleep-on-renew', '--cert-name', host);
    expect((await certbot.certificate(host)).serialNumber).not.toBe(first.serialNumber);
  });

  it('revokes with the certificate key, without an account', async () => {
    const host = acme.host('stolen');
    await issue(certbot, [host]);
    const certificate = await certbot.certificate(host);
    const proof = ['--cert-path', certbot.path(host, 'cert.pem'), '--key-path', certbot.path(host, 'privkey.pem')];
    await newCertbot().run('revoke', ...proof, '--reason', 'keycompromise', '--no-delete-after-revoke');
    expect(await stateOf(acme, certificate)).toBe('revoked: keyCompromise');
  });

  it('reports why a challenge failed', async () => {
    const elsewhere = `elsewhere.${acme.host('away')}`;
    const output = await certbot.fail('certonly', ...standalone(), ...names(elsewhere));
    expect(output).toContain(`There are no DNS records for ${elsewhere}; add an A or AAAA record.`);
  });

  it("changes its account's contact, and deactivates the account", async () => {
    const leaving = newCertbot();
    await leaving.run('register', ...newAccount);
    expect(await leaving.run('update_account', '-m', 'other@example.com')).toContain('updated to other@example.com');
    expect(await leaving.run('unregister')).toContain('Account deactivated');
  });

  it('creates an account with an external account key, and gets an error without it', async () => {
    const { directoryUrl, keyId, macKey, keyState } = await keyedProfile(acme);
    const bound = newCertbot(directoryUrl);
    expect(await bound.fail('register', ...newAccount)).toMatch(/external account binding|--eab-kid/i);
    const host = acme.host('bound');
    await issue(bound, [host], ...newAccount, '--eab-kid', keyId, '--eab-hmac-key', macKey);
    expect(await keyState()).toBe('used');
    expect(namesIn(await bound.certificate(host))).toEqual([host]);
  });
});
