// SCEP with strongSwan's pki: enrolls, renews with a new key, and waits for manual approval. It verifies issued
// certificates up to the root.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { ScepProfileRequestDto } from '@signetry/contract';
import type { Certificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { STORY_TIMEOUT_MS } from './testing/foreign-programs.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';
import { addScepProfile, makeScepCertificate } from './testing/scep-profiles.ts';
import { HAS_STRONGSWAN, STRONGSWAN_NOTE, strongswanIn } from './testing/strongswan.ts';

const CHALLENGE = 'of the factory';
const server = sharedTestServer();
const pki = strongswanIn(temporaryFolder());
let client: Client;
let path: IssuingPath;
let caCertificateUuid: string;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  if (HAS_STRONGSWAN) caCertificateUuid = await makeScepCertificate(client, path);
});

/** Creates an enabled profile, saves the CA and RA certificates to files, and returns the plain HTTP URL. */
async function serve(settings: Partial<ScepProfileRequestDto> = {}): Promise<string> {
  const wish = { challengePassword: CHALLENGE, renewalThreshold: 3650, ...settings };
  const { url } = await addScepProfile(client, { caCertificateUuid, raProfileUuid: path.raProfileUuid, ...wish });
  const plain = `${server.ready.http}${new URL(url).pathname}`;
  await pki.succeed('--scepca', '--url', plain, '--caout', 'ca.der', '--raout', 'ra.der', '--force');
  return plain;
}

const AUTHORITIES = ['--cacert-enc', 'ra.der', '--cacert-sig', 'ra.der', '--cacert', 'ca.der'];
const ask = (url: string, key: string, name: string): string[] => [
  '--scep',
  '--url',
  url,
  '--in',
  key,
  '--dn',
  `CN=${name}`,
  '--san',
  name,
  ...AUTHORITIES,
];

const findInInventory = async ({ serialNumber }: Certificate) => {
  const { certificates } = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
  return certificates.find((each) => each.serialNumber === serialNumber) ?? expect.fail('not in the inventory');
};

describe.skipIf(!HAS_STRONGSWAN)(`strongSwan SCEP${STRONGSWAN_NOTE}`, { timeout: STORY_TIMEOUT_MS }, () => {
  it('enrolls with the challenge password, and renews with a new key and the issued certificate', async () => {
    const url = await serve();
    const name = `gateway-${randomUUID()}.example`;
    await pki.makeKey('first.key', 'rsa');
    const first = await pki.getCertificate('first.pem', ...ask(url, 'first.key', name), '--password', CHALLENGE);
    expect(await findInInventory(first)).toMatchObject({ commonName: name, state: 'issued' });
    expect(first.subjectAltNames).toEqual([expect.objectContaining({ kind: 'dNSName', value: name })]);

    await pki.makeKey('second.key', 'rsa');
    const renewing = ['--cert', 'first.pem', '--key', 'first.key'];
    const second = await pki.getCertificate('second.pem', ...ask(url, 'second.key', name), ...renewing);
    const params = { uuid: (await findInInventory(second)).uuid };
    const { relatedCertificates } = await client.certificates.getCertificate({ params });
    expect(relatedCertificates).toEqual([expect.objectContaining({ serialNumber: first.serialNumber })]);
  });

  it.each([
    ['SHA-384', ['--digest', 'sha384']],
    ['SHA-512', ['--digest', 'sha512']],
    ['RSASSA-PSS', ['--rsa-padding', 'pss']],
  ])('enrolls with %s signatures', async (_what, options) => {
    const url = await serve();
    await pki.makeKey('signed.key', 'rsa');
    const asked = [...ask(url, 'signed.key', 'signed.example'), '--password', CHALLENGE, ...options];
    expect(await findInInventory(await pki.getCertificate('signed.pem', ...asked))).toMatchObject({ state: 'issued' });
  });

  it('waits for manual approval, and gets the certificate once it is issued', async () => {
    const url = await serve({ requireManualApproval: true });
    const name = `waiting-${randomUUID()}.example`;
    await pki.makeKey('waiting.key', 'rsa');
    const patience = ['--password', CHALLENGE, '--interval', '1', '--maxpolltime', '40'];
    const running = pki.getCertificate('waiting.pem', ...ask(url, 'waiting.key', name), ...patience);
    const findWaitingUuid = async () => {
      const { enrollments } = await client.enrollments.listEnrollments({ query: { text: name } });
      return enrollments.find(({ state }) => state === 'waiting')?.certificateUuid;
    };
    await expect.poll(findWaitingUuid, { timeout: 30_000 }).toBeDefined();
    const certificateUuid = (await findWaitingUuid()) ?? '';
    // The enrollment request is visible a moment before its certificate object.
    await vi.waitFor(
      () => client.clientOperations.issueRequestedCertificate({ params: { ...path, certificateUuid } }),
      { timeout: 10_000, interval: 100 },
    );
    expect((await findInInventory(await running)).uuid).toBe(certificateUuid);
  });

  it.each([
    ['a wrong challenge', ['--password', 'guessed'], 'badMessageCheck'],
    ['triple DES', ['--password', CHALLENGE, '--cipher', 'des3'], 'badAlg'],
    ['a digest that is broken', ['--password', CHALLENGE, '--digest', 'sha1'], 'badAlg'],
  ])('is rejected with %s', async (_what, options, failInfo) => {
    const url = await serve();
    await pki.makeKey('refused.key', 'rsa');
    const { code, output } = await pki.run(...ask(url, 'refused.key', 'refused.example'), ...options);
    expect([code, output]).toEqual([1, expect.stringContaining(failInfo)]);
  });

  it('enrolls with triple DES if weak algorithms are allowed', async () => {
    const url = await serve({ allowOldClients: true });
    await pki.makeKey('old.key', 'rsa');
    const asked = [...ask(url, 'old.key', 'old.example'), '--password', CHALLENGE, '--cipher', 'des3'];
    expect(await findInInventory(await pki.getCertificate('old.pem', ...asked))).toMatchObject({ state: 'issued' });
  });
});
