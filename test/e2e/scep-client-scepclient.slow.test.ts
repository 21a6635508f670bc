// scepclient (Go) from Debian's package scep: enrolls with a challenge, waits for manual approval, and renews with the
// issued certificate.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import type { ScepProfileRequestDto } from '@signetry/contract';
import { parseCertificate, readDerOrPem, type Certificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { runForeign, skipNote, STORY_TIMEOUT_MS, succeed, versionOf } from './testing/foreign-programs.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';
import { addScepProfile, makeScepCertificate } from './testing/scep-profiles.ts';

const VERSION = versionOf('scepclient', '-version');
const server = sharedTestServer({ args: ['--scep-https=127.0.0.1:0'] });
const folder = temporaryFolder();
let client: Client;
let path: IssuingPath;
let caCertificateUuid: string;
/** SHA-256, in hex. */
let caFingerprint: string;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  if (VERSION === undefined) return;
  caCertificateUuid = await makeScepCertificate(client, path);
  const shown = await client.certificates.getCertificate({ params: { uuid: caCertificateUuid } });
  caFingerprint = shown.fingerprint ?? expect.fail('no fingerprint');
});

/** Returns the plain HTTP URL of a new, enabled profile. */
async function serve(settings: Partial<ScepProfileRequestDto>): Promise<string> {
  return `${server.ready.http}${new URL(await serveSecured(settings)).pathname}`;
}

/** Returns the URL of a new, enabled profile as shown to devices, which leads to the HTTPS listener for SCEP. */
async function serveSecured(settings: Partial<ScepProfileRequestDto>): Promise<string> {
  const { url } = await addScepProfile(client, { caCertificateUuid, raProfileUuid: path.raProfileUuid, ...settings });
  return url;
}

interface Device {
  readonly name: string;
  readonly folder: string;
}

/** scepclient stores its request and its signing certificate next to the key. */
async function makeDevice(): Promise<Device> {
  const name = `device-${randomUUID()}.example`;
  await mkdir(join(folder, name));
  return { name, folder: join(folder, name) };
}

/**
 * Unless a CA certificate is specified, it encrypts to every certificate from GetCACert, and fails immediately at those
 * without RSA keys.
 */
const argsOf = (url: string, { name }: Device, challenge: string): string[] => {
  const files = ['-private-key', 'device.key', '-certificate', 'device.pem', '-ca-fingerprint', caFingerprint];
  return ['-server-url', url, ...files, '-cn', name, '-keySize', '2048', '-challenge', challenge];
};

async function certificateOf(device: Device, file = 'device.pem'): Promise<Certificate> {
  return parseCertificate(readDerOrPem(await readFile(join(device.folder, file), 'utf8'), ['CERTIFICATE']));
}

const findInInventory = async ({ serialNumber }: Certificate) => {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
  return certificates.find((each) => each.serialNumber === serialNumber) ?? expect.fail('not in the inventory');
};

describe.skipIf(VERSION === undefined)(
  `scepclient${skipNote('scepclient', VERSION)}`,
  { timeout: STORY_TIMEOUT_MS },
  () => {
    it('enrolls with the challenge password, and renews with the issued certificate', async () => {
      const url = await serve({ challengePassword: 'of the factory', renewalThreshold: 3650, allowOldClients: true });
      const device = await makeDevice();
      await succeed('scepclient', argsOf(url, device, 'of the factory'), device);
      const first = await certificateOf(device);
      expect(await findInInventory(first)).toMatchObject({ commonName: device.name, state: 'issued' });

      await succeed('scepclient', argsOf(url, device, ''), device);
      const second = await certificateOf(device);
      expect(second.serialNumber).not.toBe(first.serialNumber);
      const params = { uuid: (await findInInventory(second)).uuid };
      const { relatedCertificates } = await client.certificates.getCertificate({ params });
      expect(relatedCertificates).toEqual([expect.objectContaining({ serialNumber: first.serialNumber })]);
    });

    it('enrolls and renews over the HTTPS listener for SCEP', async () => {
      const settings = { challengePassword: 'of the factory', renewalThreshold: 3650, allowOldClients: true };
      const url = await serveSecured(settings);
      expect(url).toMatch(/^https:/);
      const device = await makeDevice();
      const run = { ...device, environment: { SSL_CERT_FILE: server.ready.rootCertificate } };
      await succeed('scepclient', argsOf(url, device, 'of the factory'), run);
      const first = await certificateOf(device);
      await succeed('scepclient', argsOf(url, device, ''), run);
      expect((await certificateOf(device)).serialNumber).not.toBe(first.serialNumber);
    });

    it('is rejected with an incorrect challenge, and nothing is issued', async () => {
      const url = await serve({ challengePassword: 'of the factory', allowOldClients: true });
      const device = await makeDevice();
      const { code, output } = await runForeign('scepclient', argsOf(url, device, 'guessed'), device);
      expect([code, output]).toEqual([1, expect.stringContaining('badMessageCheck')]);
      const { enrollments } = await client.enrollments.listEnrollments({
        query: { protocol: 'scep', state: 'refused', text: 'SCEP SIGNER' },
      });
      expect(enrollments.map(({ problem }) => problem)).toEqual([expect.stringContaining('challenge password')]);
    });
  },
);
