// Certificates with a key in a token renew automatically, at the rate that their authority permits, unless paused;
// certificates without automated renewal are listed with the reason.
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { issue, rejectionOf } from './testing/certificates.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { createKey, createTokenWithProfile, textValue, type TokenPath } from './testing/tokens.ts';

const server = sharedTestServer();
const soon = { timeout: 20_000, interval: 100 };
let client: Client;
let token: TokenPath;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  token = await createTokenWithProfile(client);
});
/** Every test uses a separate authority. */
beforeEach(async ({ task }) => {
  path = await createAuthority(client, { name: `Renewing ${task.id}` });
});

const query = (text: string) => server.running.platform.database.query(text);
const settings = (body: { automatic: boolean; tokenKeys?: boolean; paused?: boolean }) =>
  client.automaticRenewal.setAutomaticRenewal({ params: { raProfileUuid: path.raProfileUuid }, body });
const renewals = async () =>
  (await client.automaticRenewal.listAutomaticRenewals({ params: { raProfileUuid: path.raProfileUuid }, query: {} }))
    .renewals;
const history = (uuid: string) => client.unattendedCertificates.getCertificateRenewalHistory({ params: { uuid } });
const findUnattended = async (uuid: string) =>
  (
    await client.unattendedCertificates.listUnattendedCertificates({ query: { days: 30, itemsPerPage: 1000 } })
  ).certificates.find((each) => each.uuid === uuid);

/** Creates a certificate for a key in the token, with a tenth of its lifetime left. */
async function createExpiring(name: string): Promise<string> {
  const key = await createKey(client, token, { specification: 'P-256' });
  const csrAttributes = [textValue('commonName', name)];
  const body = { attributes: [], keyUuid: key.uuid, tokenProfileUuid: token.tokenProfileUuid, csrAttributes };
  const { uuid } = await client.clientOperations.issueCertificate({ params: path, body });
  await makeExpiring(uuid);
  return uuid;
}

const makeExpiring = (uuid: string) =>
  query(`UPDATE certificate SET not_before = now() - interval '90 days', not_after = now() + interval '10 days'
    WHERE uuid = '${uuid}'`);

it('OCSP responder certificates are not reported as lacking automated renewal, since the platform replaces them itself', async () => {
  const { certificates } = await client.certificates.listCertificates({ body: {} });
  const responder = certificates.find(({ commonName }) => commonName.startsWith('OCSP responder'));
  expect(responder).toBeDefined();
  expect(await findUnattended(responder?.uuid ?? '')).toBeUndefined();
  expect(await history(responder?.uuid ?? '')).not.toHaveProperty('reason');
});

describe('a certificate with a key in a token', () => {
  it('is renewed with the same key once its RA profile permits it', async () => {
    const uuid = await createExpiring('token.example');
    await settings({ automatic: true });
    expect(await findUnattended(uuid)).toMatchObject({ reason: 'notAutomatic', explanation: expect.any(String) });
    expect((await history(uuid)).reason).toBe('notAutomatic');
    await settings({ automatic: true, tokenKeys: true });
    await vi.waitFor(
      async () =>
        expect(await renewals()).toMatchObject([
          { certificateUuid: uuid, way: 'token', state: 'renewed', attempts: 1 },
        ]),
      soon,
    );
    const [{ successorUuid = '' } = {}] = await renewals();
    const successor = await client.certificates.getCertificate({ params: { uuid: successorUuid } });
    expect(successor).toMatchObject({ commonName: 'token.example', privateKeyAvailability: true, state: 'issued' });
    expect(await findUnattended(uuid)).toBeUndefined();
    const told = await history(uuid);
    expect(told).toMatchObject({
      renewals: [{ state: 'renewed' }],
      attempts: [{ successorUuid, endedAt: expect.any(String) }],
    });
    expect(told).not.toHaveProperty('reason');
  });

  it('is renewed even if its original request is not known', async () => {
    const uuid = await createExpiring('without-request.example');
    await query(`UPDATE certificate SET request_uuid = NULL WHERE uuid = '${uuid}'`);
    await settings({ automatic: true, tokenKeys: true });
    await vi.waitFor(async () => expect(await renewals()).toMatchObject([{ state: 'renewed' }]), soon);
  });

  it('waits while its RA profile or the platform is paused', async () => {
    const uuid = await createExpiring('paused.example');
    await settings({ automatic: true, tokenKeys: true, paused: true });
    await vi.waitFor(
      async () => expect(await renewals()).toMatchObject([{ state: 'planned', waitsFor: 'pause' }]),
      soon,
    );
    expect((await findUnattended(uuid))?.reason).toBe('paused');
    await client.renewalSettings.setRenewalSettings({ body: { paused: true } });
    await settings({ automatic: true, tokenKeys: true });
    await vi.waitFor(
      async () => expect(await renewals()).toMatchObject([{ state: 'planned', waitsFor: 'pause' }]),
      soon,
    );
    await client.renewalSettings.setRenewalSettings({ body: { paused: false } });
    await vi.waitFor(async () => expect(await renewals()).toMatchObject([{ state: 'renewed' }]), soon);
  });

  it('waits for its turn at an authority limited to two renewals per hour', async () => {
    const params = { authorityUuid: path.authorityUuid };
    expect(await client.renewalLimits.setRenewalLimit({ params, body: { perHour: 2 } })).toEqual({ perHour: 2 });
    for (const name of ['one', 'two', 'three', 'four']) await createExpiring(`${name}.example`);
    await settings({ automatic: true, tokenKeys: true });
    await vi.waitFor(
      async () => expect((await renewals()).filter(({ state }) => state === 'renewed')).toHaveLength(2),
      soon,
    );
    await settings({ automatic: true, tokenKeys: true });
    await vi.waitFor(
      async () => expect(await renewals()).toMatchObject([{ waitsFor: 'turn' }, { waitsFor: 'turn' }, {}, {}]),
      soon,
    );
    await query(`UPDATE renewal_attempt SET started_at = started_at - interval '1 hour'`);
    await settings({ automatic: true, tokenKeys: true });
    await vi.waitFor(async () => expect((await renewals()).every(({ state }) => state === 'renewed')).toBe(true), soon);
    expect(await client.renewalLimits.setRenewalLimit({ params, body: {} })).toEqual({});
    expect(await client.renewalLimits.getRenewalLimit({ params })).toEqual({});
  });

  it('is retried if its RA profile cannot issue, and the list shows the reason', async () => {
    const uuid = await createExpiring('failing.example');
    await client.raProfiles.disableRaProfile({ params: path });
    await settings({ automatic: true, tokenKeys: true });
    await vi.waitFor(
      async () => expect(await renewals()).toMatchObject([{ state: 'planned', attempts: 1, waitsFor: 'retry' }]),
      soon,
    );
    expect((await findUnattended(uuid))?.reason).toBe('raProfileDisabled');
    await client.raProfiles.enableRaProfile({ params: path });
    const found = await findUnattended(uuid);
    expect(found?.reason).toBe('failed');
    expect(found?.explanation).toContain((await renewals())[0]?.problem);
    expect((await history(uuid)).attempts).toMatchObject([{ problem: (await renewals())[0]?.problem }]);
  });
});

describe('a certificate without automated renewal', () => {
  it('is counted under its reason, and can be searched by that reason', async () => {
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=nowhere.example' }));
    await makeExpiring(uuid);
    const page = { days: 30, itemsPerPage: 1000, reason: 'noLocationNorKey' as const };
    const list = await client.unattendedCertificates.listUnattendedCertificates({ query: page });
    expect(list.certificates.map((each) => each.uuid)).toContain(uuid);
    expect(list.counts).toContainEqual({ reason: 'noLocationNorKey', certificates: list.totalItems });
    const soonOnly = { ...page, days: 5 };
    const { certificates } = await client.unattendedCertificates.listUnattendedCertificates({ query: soonOnly });
    expect(certificates.map((each) => each.uuid)).not.toContain(uuid);
  });

  it('is included when a shorter validity period is simulated', async () => {
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=simulated.example' }));
    await query(
      `UPDATE certificate SET not_before = now(), not_after = now() + interval '398 days' WHERE uuid = '${uuid}'`,
    );
    const simulate = (authorityUuids: string[]) =>
      client.renewalSimulation.simulateRenewals({ body: { lifetimeDays: 47, days: 365, authorityUuids } });
    const { authorities, ways, unattended: reasons, perDay } = await simulate([path.authorityUuid]);
    const mine = authorities.find((each) => each.uuid === path.authorityUuid);
    expect(mine).toMatchObject({ certificates: 1 });
    // In the last third of the first validity period, then about once a month.
    expect(mine?.renewals).toBeGreaterThanOrEqual(3);
    expect(ways.find(({ way }) => way === 'hand')?.certificates).toBeGreaterThanOrEqual(1);
    expect(reasons.find(({ reason }) => reason === 'noLocationNorKey')?.certificates).toBeGreaterThanOrEqual(1);
    expect(perDay).toHaveLength(365);
    const others = await simulate([]);
    expect(others.authorities.find((each) => each.uuid === path.authorityUuid)).toMatchObject({ renewals: 1 });
    expect(others.perDay).toEqual(others.perDayNow);
  });

  it('cannot be simulated with an invalid start date', async () => {
    const body = { lifetimeDays: 47, from: '2027-13-01' };
    expect(await rejectionOf(client.renewalSimulation.simulateRenewals({ body }))).toMatchObject({ status: 400 });
  });
});
