// EST with strongSwan's pki: CA certificates, enrollment with a password, renewal with a certificate, waiting. Version
// 5.9.8 does not support labels, so its profile is the default one.
import type { Client } from '@signetry/client';
import { parseCertificate, readDerOrPem, type Certificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { STORY_TIMEOUT_MS } from './testing/foreign-programs.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';
import { HAS_STRONGSWAN, STRONGSWAN_NOTE, strongswanIn } from './testing/strongswan.ts';

const PASSWORD = 'correct horse battery';
const server = sharedTestServer();
const folder = temporaryFolder();
const pki = strongswanIn(folder);
let client: Client;
let path: IssuingPath;
let estProfileUuid: string;

const settings = () => ({
  raProfileUuid: path.raProfileUuid,
  isDefault: true,
  users: [{ username: 'device', password: PASSWORD }],
});

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  const body = { name: 'gateways', ...settings() };
  ({ uuid: estProfileUuid } = await client.estProfiles.createEstProfile({ body }));
  await client.estProfiles.enableEstProfile({ params: { estProfileUuid } });
});

const toServer = (): string[] => {
  const { port } = new URL(server.ready.https);
  return ['--url', `https://127.0.0.1:${port}`, '--cacert', server.ready.rootCertificate];
};
const AS_DEVICE = ['--userpass', `device:${PASSWORD}`];

/** Creates a key and a CSR for it, in files with this name. */
async function makeRequest(file: string, name: string, kind: 'rsa' | 'ecdsa' = 'ecdsa'): Promise<void> {
  await pki.makeKey(`${file}.key`, kind);
  await pki.keep(`${file}.csr`, '--req', '--in', `${file}.key`, '--type', kind, '--dn', `CN=${name}`, '--san', name);
}

const enroll = (file: string, ...options: readonly string[]): Promise<Certificate> =>
  pki.getCertificate(`${file}.crt`, '--est', ...toServer(), '--in', `${file}.csr`, ...options);

const findInInventory = async ({ serialNumber }: Certificate) => {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
  return certificates.find((each) => each.serialNumber === serialNumber) ?? expect.fail('not in the inventory');
};

describe.skipIf(!HAS_STRONGSWAN)(`EST with strongSwan${STRONGSWAN_NOTE}`, { timeout: STORY_TIMEOUT_MS }, () => {
  it('gets the CA certificate', async () => {
    await pki.succeed('--estca', ...toServer(), '--caout', 'ca.pem', '--outform', 'pem');
    const pem = (file: string) => readFile(file, 'utf8').then((text) => readDerOrPem(text, ['CERTIFICATE']));
    const known = parseCertificate(await pem(server.ready.rootCertificate));
    const got = parseCertificate(await pem(join(folder, 'ca.pem')));
    expect(Buffer.from(got.der).equals(known.der)).toBe(true);
  });

  it.each(['ecdsa', 'rsa'] as const)('enrolls an %s key, and renews it with its certificate', async (kind) => {
    const name = `${kind}.example`;
    await makeRequest('first', name, kind);
    const first = await enroll('first', ...AS_DEVICE);
    expect(await findInInventory(first)).toMatchObject({ commonName: name, state: 'issued' });

    await makeRequest('second', name, kind);
    const second = await enroll('second', '--cert', 'first.crt', '--key', 'first.key');
    const params = { uuid: (await findInInventory(second)).uuid };
    const { relatedCertificates } = await client.certificates.getCertificate({ params });
    expect(relatedCertificates).toEqual([expect.objectContaining({ serialNumber: first.serialNumber })]);
  });

  it('waits for approval, and gets the certificate once it is issued', async () => {
    const body = { ...settings(), manualApproval: true, retryAfter: 1 };
    await client.estProfiles.editEstProfile({ params: { estProfileUuid }, body });
    try {
      await makeRequest('waiting', 'waiting.example');
      const running = enroll('waiting', ...AS_DEVICE, '--interval', '1', '--maxpolltime', '40');
      const findWaitingUuid = async () =>
        (await client.enrollments.listEnrollments({ query: { text: 'waiting.example' } })).enrollments[0]
          ?.certificateUuid;
      await expect.poll(findWaitingUuid, { timeout: 30_000 }).toBeDefined();
      const certificateUuid = (await findWaitingUuid()) ?? '';
      // The enrollment exists shortly before the certificate object that it references.
      await vi.waitFor(
        () => client.clientOperations.issueRequestedCertificate({ params: { ...path, certificateUuid } }),
        { timeout: 10_000, interval: 100 },
      );
      expect((await findInInventory(await running)).uuid).toBe(certificateUuid);
    } finally {
      await client.estProfiles.editEstProfile({ params: { estProfileUuid }, body: settings() });
    }
  });

  it('is rejected with an incorrect password, or with a certificate for different names', async () => {
    await makeRequest('refused', 'refused.example');
    const asked = ['--est', ...toServer(), '--in', 'refused.csr'];
    const wrong = await pki.run(...asked, '--userpass', 'device:guessed');
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('HTTP 401')]);
    await makeRequest('other', 'other.example');
    await enroll('other', ...AS_DEVICE);
    const stranger = await pki.run(...asked, '--cert', 'other.crt', '--key', 'other.key');
    expect([stranger.code, stranger.output]).toEqual([1, expect.stringContaining('HTTP 403')]);
  });
});
