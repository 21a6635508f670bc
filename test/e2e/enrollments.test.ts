// Enrollment requests over protocols without accounts: transactions, and one-time secrets that start them.
import type { Client } from '@signetry/client';
import { parseCertificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContext } from '../../packages/server/src/kernel/actor.ts';
import { describeExcessNames } from '../../packages/server/src/areas/enrollments/index.ts';
import { limitedUser } from './testing/limited-user.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});

const enrollments = () => server.running.areas.enrollments;

const profile = () => ({
  family: 'profile' as const,
  uuid: randomUUID(),
  name: 'devices',
  version: 1,
  enabled: true,
  raProfile: { uuid: path.raProfileUuid, name: 'default', enabled: true, authorityUuid: path.authorityUuid },
  issueAttributes: [],
  revokeAttributes: [],
  association: { owner: null, groupUuids: [], customAttributes: [] },
});

const requestFor = async (subject: string) => {
  const { der } = await makeRequest({ subject });
  return server.running.areas.issuing.protocols.readRequest(der);
};

const enrollmentRequest = async (subject: string, others: object = {}) => ({
  protocol: 'est' as const,
  profile: profile(),
  transactionId: randomUUID(),
  kind: 'simpleenroll',
  requester: 'the test',
  request: await requestFor(subject),
  ...others,
});

const context = () => coreContext(randomUUID());
const listByText = async (text: string) => (await client.enrollments.listEnrollments({ query: { text } })).enrollments;

describe('a transaction', () => {
  it('ends with a certificate, which is returned again for a repeated message', async () => {
    const request = await enrollmentRequest('CN=switch-1.example');
    const first = await enrollments().enroll(request, context());
    expect(first).toMatchObject({ isNew: true, enrollment: { state: 'issued' } });
    const { certificate, certificateUuid } = first.enrollment;
    expect(parseCertificate(certificate ?? new Uint8Array()).subject).toBeDefined();
    const again = await enrollments().enroll(request, context());
    expect(again).toMatchObject({ isNew: false, enrollment: { state: 'issued', certificateUuid } });
    expect(Buffer.from(again.enrollment.certificate ?? '')).toEqual(Buffer.from(certificate ?? 'none'));
    expect(await listByText('switch-1')).toMatchObject([
      { state: 'issued', certificateUuid, kind: 'simpleenroll', requester: 'the test', profileName: 'devices' },
    ]);
  });

  it('starts once, even if the same message arrives multiple times simultaneously', async () => {
    const request = await enrollmentRequest('CN=switch-2.example');
    const all = await Promise.all(Array.from({ length: 8 }, () => enrollments().enroll(request, context())));
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(all.map(({ enrollment }) => enrollment.certificateUuid)).size).toBe(1);
    const certificates = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
    expect(certificates.certificates.filter(({ commonName }) => commonName === 'switch-2.example')).toHaveLength(1);
  });

  it('waits for approval if it is required, and ends when a decision is made', async () => {
    const request = await enrollmentRequest('CN=switch-3.example', { requireManualApproval: true });
    const { enrollment } = await enrollments().enroll(request, context());
    expect(enrollment).toMatchObject({ state: 'waiting', certificate: undefined });
    expect(await listByText('switch-3')).toMatchObject([{ state: 'waiting' }]);
    const params = { ...path, certificateUuid: enrollment.certificateUuid };
    await client.clientOperations.issueRequestedCertificate({ params });
    expect(await listByText('switch-3')).toMatchObject([{ state: 'issued' }]);
    const { protocol, transactionId } = request;
    const found = await enrollments().find({ protocol, profileUuid: request.profile.uuid, transactionId });
    expect(found?.certificate).toBeInstanceOf(Uint8Array);
  });

  it('is rejected with the error message for the violated rule', async () => {
    const disabled = { ...profile(), raProfile: undefined };
    const request = await enrollmentRequest('CN=switch-4.example', { profile: disabled });
    const { enrollment } = await enrollments().enroll(request, context());
    expect(enrollment).toMatchObject({ state: 'refused', problem: expect.stringContaining('has no RA profile') });
  });

  it('renews if the key is the same, rekeys if the key is different, and links the certificate to its predecessor', async () => {
    const first = await enrollmentRequest('CN=switch-5.example');
    const { enrollment } = await enrollments().enroll(first, context());
    const predecessorUuid = enrollment.certificateUuid;
    const same = { ...first, transactionId: randomUUID(), predecessorUuid };
    const renewed = await enrollments().enroll(same, context());
    const rekeyed = await enrollments().enroll(
      await enrollmentRequest('CN=switch-5.example', { predecessorUuid }),
      context(),
    );
    expect([renewed.enrollment.state, rekeyed.enrollment.state]).toEqual(['issued', 'issued']);
    const successorsOf = (await client.certificates.getCertificate({ params: { uuid: predecessorUuid } }))
      .relatedCertificates;
    expect(successorsOf?.map(({ uuid }) => uuid).sort()).toEqual(
      [renewed.enrollment.certificateUuid, rekeyed.enrollment.certificateUuid].sort(),
    );
    const other = await enrollments().enroll(
      await enrollmentRequest('CN=router.example', { predecessorUuid }),
      context(),
    );
    expect(other.enrollment).toMatchObject({ state: 'refused', problem: expect.stringContaining('subject') });
  });

  it('is continued if its node was killed before it requested the certificate', async () => {
    const request = await enrollmentRequest('CN=switch-6.example');
    const { database } = server.running.platform;
    await enrollments().enroll({ ...request, requireManualApproval: true }, context());
    await database.query(`DELETE FROM certificate WHERE common_name = 'switch-6.example'`);
    expect(await enrollments().enroll(request, context())).toMatchObject({
      isNew: false,
      enrollment: { state: 'waiting' },
    });
    await database.query(`UPDATE enrollment SET updated_at = now() - interval '2 minutes' WHERE transaction_id = $1`, [
      request.transactionId,
    ]);
    const foreign = {
      ...(await enrollmentRequest('CN=switch-7.example')),
      profile: request.profile,
      transactionId: request.transactionId,
    };
    expect(await enrollments().enroll(foreign, context())).toMatchObject({ isNew: false });
    expect(await enrollments().enroll(request, context())).toMatchObject({
      isNew: true,
      enrollment: { state: 'issued' },
    });
  });

  it('that is rejected before it starts is recorded, up to a limit', async () => {
    const refused = { ...(await enrollmentRequest('CN=x')), profile: profile(), problem: 'The MAC is wrong.' };
    for (let each = 0; each < 40; each++) await enrollments().recordRejection({ ...refused, requester: 'noise\0' });
    const notes = await client.enrollments.listEnrollments({ query: { text: 'noise' } });
    expect(notes.totalItems).toBe(30);
    expect(notes.enrollments[0]).toMatchObject({ state: 'refused', problem: 'The MAC is wrong.', requester: 'noise' });
    const unread = { ...refused, kind: '', requester: 'unread', address: '192.0.2.7' };
    for (let each = 0; each < 40; each++) await enrollments().recordRejection(unread);
    const own = await client.enrollments.listEnrollments({ query: { text: '192.0.2.7' } });
    expect(own.totalItems).toBe(30);
    expect(own.enrollments[0]).toMatchObject({ kind: '', address: '192.0.2.7' });
  });

  it('is listed for users who can see its RA profile', async () => {
    const request = await enrollmentRequest('CN=hidden.example');
    await enrollments().enroll(request, context());
    const seeing = await limitedUser(server, [['raProfiles', 'list']]);
    expect((await seeing.enrollments.listEnrollments({ query: { text: 'hidden' } })).totalItems).toBe(1);
    const blind = await limitedUser(server, [['certificates', 'list']]);
    await expect(blind.enrollments.listEnrollments({ query: {} })).rejects.toMatchObject({ status: 403 });
  });
});

describe('a one-time secret', () => {
  const createSecret = (body: { subject?: string; expiresAt?: string } = {}) =>
    client.enrollmentSecrets.createEnrollmentSecret({ params: path, body: { protocol: 'scep', ...body } });
  const find = (secret: string) =>
    enrollments().secrets.findBySecret({ protocol: 'scep', raProfileUuid: path.raProfileUuid, secret });
  const states = async (uuid: string) =>
    (await client.enrollmentSecrets.listEnrollmentSecrets({ params: path })).filter((each) => each.uuid === uuid);

  it('is shown only once, can be found by its value and its reference, and starts only one transaction', async () => {
    const { uuid, reference, secret } = await createSecret({ subject: 'CN=phone.example' });
    expect(secret).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
    expect(JSON.stringify(await states(uuid))).not.toContain(secret);
    const found = await find(secret);
    expect(found).toMatchObject({ uuid, reference });
    const judged = await Promise.all(['CN=Phone.example', 'CN=other.example'].map(requestFor));
    expect(judged.map((request) => found?.names && describeExcessNames(found.names, request) === undefined)).toEqual([
      true,
      false,
    ]);
    const named = { protocol: 'scep' as const, raProfileUuid: path.raProfileUuid, reference };
    expect((await enrollments().secrets.findByReference(named))?.secret.reveal()).toBe(secret);
    const ask = async () =>
      enrollments().enroll(
        await enrollmentRequest('CN=phone.example', { protocol: 'scep', oneTimeSecretUuid: uuid }),
        context(),
      );
    const outcomes = await Promise.allSettled([ask(), ask(), ask()]);
    const begun = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.enrollment] : []));
    expect(begun).toMatchObject([{ state: 'issued' }]);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringContaining('already been used') },
    });
    expect(await find(secret)).toBeUndefined();
    expect(await states(uuid)).toMatchObject([{ state: 'used', enrollmentUuid: begun[0]?.uuid }]);
  });

  it('is rejected once expired or withdrawn, and for a different protocol', async () => {
    const { uuid, secret } = await createSecret();
    const other = { protocol: 'est' as const, raProfileUuid: path.raProfileUuid, secret };
    expect(await enrollments().secrets.findBySecret(other)).toBeUndefined();
    await client.enrollmentSecrets.withdrawEnrollmentSecret({ params: { ...path, secretUuid: uuid } });
    expect(await find(secret)).toBeUndefined();
    expect(await states(uuid)).toMatchObject([{ state: 'withdrawn' }]);
    const late = await createSecret();
    await server.running.platform.database.query(
      `UPDATE enrollment_secret SET expires_at = now() - interval '1 second' WHERE uuid = $1`,
      [late.uuid],
    );
    expect(await find(late.secret)).toBeUndefined();
    const use = await enrollmentRequest('CN=late.example', { protocol: 'scep', oneTimeSecretUuid: late.uuid });
    await expect(enrollments().enroll(use, context())).rejects.toThrow('has expired');
  });

  it('is not created if the parameters are invalid', async () => {
    for (const [body, words] of [
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'in the past'],
      [{ expiresAt: '2222-01-01T00:00:00Z' }, 'one year from now'],
      [{ subject: 'not a name' }, 'subject'],
    ] as const)
      await expect(createSecret(body)).rejects.toMatchObject({
        status: 422,
        problems: [expect.stringContaining(words)],
      });
    const params = { raProfileUuid: randomUUID(), authorityUuid: path.authorityUuid };
    const nowhere = client.enrollmentSecrets.createEnrollmentSecret({ params, body: { protocol: 'est' } });
    await expect(nowhere).rejects.toMatchObject({ status: 404 });
  });
});
