// acme-tiny, in Python with openssl: certificates by http-01 for a CSR from the user, whose subject can contain more
// than an order proves.
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namesIn, serveWebRoot, sharedForeignClientServer, stateOf } from './testing/foreign-acme-clients.ts';
import { runForeign, skipNote, STORY_TIMEOUT_MS, versionOf } from './testing/foreign-programs.ts';

const VERSION = versionOf('acme-tiny', '--help');
const { acme, folder, httpPort } = await sharedForeignClientServer();
const webRoot = join(folder, 'challenges');
let web: Server;

const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

/** Creates a CSR file; returns its name. */
function makeCsr(subject: string, altNames: string): string {
  const extension = `subjectAltName=${altNames}`;
  openssl(
    'req',
    '-new',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'key.pem',
    '-out',
    'request.pem',
    '-subj',
    subject,
    '-addext',
    extension,
  );
  return 'request.pem';
}

async function acmeTiny(csr: string): Promise<X509Certificate> {
  const args = ['--account-key', 'account.pem', '--csr', csr, '--acme-dir', webRoot, '--disable-check', '--quiet'];
  const run = await runForeign('acme-tiny', [...args, '--directory-url', acme.server.ready.acmeDirectory], {
    folder,
    environment: { SSL_CERT_FILE: acme.server.ready.rootCertificate },
  });
  expect(run, run.output).toMatchObject({ code: 0 });
  return new X509Certificate(run.output);
}

beforeAll(async () => {
  web = await serveWebRoot(webRoot, httpPort);
});
afterAll(() => void web.close());

describe.skipIf(VERSION === undefined)(
  `acme-tiny${skipNote('acme-tiny', VERSION)}`,
  { timeout: STORY_TIMEOUT_MS },
  () => {
    beforeAll(() => openssl('genrsa', '-out', 'account.pem', '2048'));

    it('gets a certificate for multiple names, and a second certificate with the same account', async () => {
      const hosts = [acme.host('tiny'), acme.host('tiny')];
      const csr = makeCsr('/', hosts.map((host) => `DNS:${host}`).join(','));
      const certificate = await acmeTiny(csr);
      expect(namesIn(certificate)).toEqual(hosts.toSorted());
      expect(await stateOf(acme, certificate)).toBe('issued');
      expect((await acmeTiny(csr)).serialNumber).not.toBe(certificate.serialNumber);
    });

    it("gets a certificate for an appliance's CSR, with only a validated name left in its subject", async () => {
      const host = acme.host('appliance');
      const subject = `/C=DE/ST=NRW/L=Bonn/O=Example/OU=Edge/CN=${host}`;
      expect((await acmeTiny(makeCsr(subject, `DNS:${host}`))).subject).toBe(`CN=${host}`);
    });
  },
);
