// Random certificate lifecycles: issue, revoke, put on hold, delete, upload again and archive, in any order.
// Afterwards, OCSP, the authority's CRL and the inventory agree about every certificate.
import { randomInt } from 'node:crypto';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { historyOf, issue, rootOf, type IssuedCertificate } from './testing/certificates.ts';
import { downloadUrlsOf, askOcsp, fetchCrl, serialsIn } from './testing/downloads.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let client: Client;
let path: IssuingPath;
let root: Buffer;
let addresses: ReturnType<typeof downloadUrlsOf>;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  root = (await rootOf(server.ready)).raw;
  addresses = downloadUrlsOf(server.ready, path.authorityUuid);
});

const REASONS = ['keyCompromise', 'superseded', 'affiliationChanged', 'unspecified', 'cessationOfOperation'] as const;
type Reason = (typeof REASONS)[number];

/** State that the test expects of a certificate. `uuid` is undefined while the certificate is not in the inventory. */
interface Lifecycle {
  readonly issued: IssuedCertificate;
  uuid: string | undefined;
  revoked: Reason | undefined;
  archived: boolean;
  /** False for uploaded certificates: they have no RA profile, which revocation requires. */
  underProfile: boolean;
}

async function begin(name: string): Promise<Lifecycle> {
  const issued = await issue(client, path, await makeRequest({ subject: `CN=${name}` }));
  return { issued, uuid: issued.uuid, revoked: undefined, archived: false, underProfile: true };
}

async function revoke(lifecycle: Lifecycle, reason: Reason): Promise<void> {
  if (lifecycle.uuid === undefined || lifecycle.archived || lifecycle.revoked !== undefined) return;
  const params = { uuid: lifecycle.uuid };
  if (!lifecycle.underProfile) {
    await client.certificates.updateCertificateObjects({ params, body: { raProfileUuid: path.raProfileUuid } });
    lifecycle.underProfile = true;
  }
  await client.clientOperations.revokeCertificate({
    params: { ...path, certificateUuid: lifecycle.uuid },
    body: { reason, attributes: [] },
  });
  lifecycle.revoked = reason;
}

async function remove(lifecycle: Lifecycle): Promise<void> {
  if (lifecycle.uuid === undefined) return;
  await client.certificates.deleteCertificate({ params: { uuid: lifecycle.uuid } });
  lifecycle.uuid = undefined;
}

async function upload(lifecycle: Lifecycle): Promise<void> {
  if (lifecycle.uuid !== undefined) return;
  const certificate = lifecycle.issued.der.toString('base64');
  const { uuid } = await client.certificates.uploadCertificate({ body: { certificate, customAttributes: [] } });
  Object.assign(lifecycle, { uuid, archived: false, underProfile: false });
}

/** Archived certificates are still certificates. */
async function toggleArchive(lifecycle: Lifecycle): Promise<void> {
  if (lifecycle.uuid === undefined) return;
  lifecycle.archived = !lifecycle.archived;
  const { database } = server.running.platform;
  await database.query('UPDATE certificate SET archived = $2 WHERE uuid = $1', [lifecycle.uuid, lifecycle.archived]);
}

const serialOf = ({ issued }: Lifecycle): string => issued.x509.serialNumber.toLowerCase().replace(/^0+/, '');
const ocspOf = ({ issued }: Lifecycle): Promise<string> =>
  askOcsp(addresses.ocsp, { certificate: issued.der, issuer: root });

/** Waits for the CRL that contains every revocation, and compares its other entries with the expected ones. */
async function crlAgreesWith(lifecycles: readonly Lifecycle[]): Promise<void> {
  const wanted = lifecycles.filter(({ revoked }) => revoked !== undefined).map(serialOf);
  const serials = await vi.waitFor(
    async () => {
      const listed = serialsIn(await fetchCrl(addresses.crl, root));
      expect(listed).toEqual(expect.arrayContaining(wanted));
      return listed;
    },
    { timeout: 20_000, interval: 200 },
  );
  const unlisted = lifecycles.filter(({ revoked }) => revoked === undefined).map(serialOf);
  expect(serials.filter((serial) => unlisted.includes(serial))).toEqual([]);
}

describe('a certificate revoked as compromised', () => {
  it('stays revoked in OCSP when it is deleted, and is revoked when it is imported again', async () => {
    const lifecycle = await begin('compromised.example');
    await revoke(lifecycle, 'keyCompromise');
    await remove(lifecycle);
    expect(await ocspOf(lifecycle)).toBe('revoked');
    await crlAgreesWith([lifecycle]);
    await upload(lifecycle);
    const params = { uuid: lifecycle.uuid ?? '' };
    const detail = await client.certificates.getCertificate({ params });
    expect(detail).toMatchObject({ state: 'revoked', validationStatus: 'revoked' });
    expect(await historyOf(client, params.uuid)).toContainEqual(expect.stringContaining('reason keyCompromise'));
    const { resultStatus } = await client.certificates.getCertificateValidationResult({ params });
    expect(resultStatus).toBe('revoked');
    expect(await ocspOf(lifecycle)).toBe('revoked');
  });

  it('after being revoked for a different reason keeps its status when deleted and imported again, and its key is never certified again', async () => {
    const lifecycle = await begin('compromised-later.example');
    await revoke(lifecycle, 'superseded');
    await client.clientOperations.revokeCertificate({
      params: { ...path, certificateUuid: lifecycle.uuid ?? '' },
      body: { reason: 'keyCompromise', attributes: [] },
    });
    await remove(lifecycle);
    await upload(lifecycle);
    expect(await historyOf(client, lifecycle.uuid ?? '')).toContainEqual(
      expect.stringContaining('reason keyCompromise'),
    );
    expect(await ocspOf(lifecycle)).toBe('revoked');
    const { database } = server.running.platform;
    const blocked = await database.query(
      `SELECT FROM compromised_key JOIN certificate USING (public_key_fingerprint) WHERE uuid = $1`,
      [lifecycle.uuid],
    );
    expect(blocked).toHaveLength(1);
  });

  it('stays revoked in OCSP even when its CA certificate is deleted', async () => {
    const other = await createAuthority(client, { name: 'Forgotten Root' });
    const { ocsp } = downloadUrlsOf(server.ready, other.authorityUuid);
    const issueOne = async (name: string) => issue(client, other, await makeRequest({ subject: `CN=${name}` }));
    const [revoked, good] = [await issueOne('revoked.example'), await issueOne('good.example')];
    const [ca] = await client.raProfiles.getAuthorityCertificateChain({ params: other });
    const issuer = Buffer.from(ca?.certificateContent ?? '', 'base64');
    const ask = ({ der }: IssuedCertificate) => askOcsp(ocsp, { certificate: der, issuer });
    expect([await ask(revoked), await ask(good)]).toEqual(['good', 'good']);
    await client.clientOperations.revokeCertificate({
      params: { ...other, certificateUuid: revoked.uuid },
      body: { reason: 'keyCompromise', attributes: [] },
    });
    const ofAuthority = (await client.raProfiles.listRaProfiles()).filter(
      ({ authorityInstanceUuid }) => authorityInstanceUuid === other.authorityUuid,
    );
    await client.raProfiles.bulkDeleteRaProfile({ body: ofAuthority.map(({ uuid }) => uuid) });
    await client.certificates.deleteCertificate({ params: { uuid: ca?.uuid ?? '' } });
    await client.certificates.deleteCertificate({ params: { uuid: revoked.uuid } });
    expect([await ask(revoked), await ask(good)]).toEqual(['revoked', 'good']);
  });
});

describe('a certificate that was not revoked', () => {
  it('stays good in OCSP when it is deleted', async () => {
    const lifecycle = await begin('deleted.example');
    await remove(lifecycle);
    expect(await ocspOf(lifecycle)).toBe('good');
    await upload(lifecycle);
    const detail = await client.certificates.getCertificate({ params: { uuid: lifecycle.uuid ?? '' } });
    expect(detail.state).toBe('issued');
  });
});

describe('after random lifecycles', () => {
  it('OCSP, the CRL and the inventory agree with the authority on every certificate', async () => {
    const lifecycles = await Promise.all(Array.from({ length: 16 }, (_, index) => begin(`lifecycle-${index}.example`)));
    const steps: string[] = [];
    const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[randomInt(items.length)] ?? items[0];
    for (let round = 0; round < 80; round += 1) {
      const index = randomInt(lifecycles.length);
      const lifecycle = lifecycles[index];
      if (!lifecycle) continue;
      const step = pick(['revoke', 'delete', 'delete', 'upload', 'upload', 'archive', 'ask']);
      steps.push(`${index}:${step}`);
      if (step === 'revoke') await revoke(lifecycle, pick(REASONS));
      if (step === 'delete') await remove(lifecycle);
      if (step === 'upload') await upload(lifecycle);
      if (step === 'archive') await toggleArchive(lifecycle);
      if (step === 'ask') expect(await ocspOf(lifecycle), steps.join(' ')).toBe(lifecycle.revoked ? 'revoked' : 'good');
    }
    for (const [index, lifecycle] of lifecycles.entries()) {
      const told = `lifecycle ${index} of ${steps.join(' ')}`;
      expect(await ocspOf(lifecycle), told).toBe(lifecycle.revoked ? 'revoked' : 'good');
      if (lifecycle.uuid === undefined) continue;
      const { state } = await client.certificates.getCertificate({ params: { uuid: lifecycle.uuid } });
      expect(state, told).toBe(lifecycle.revoked ? 'revoked' : 'issued');
    }
    await crlAgreesWith(lifecycles);
  });
});
