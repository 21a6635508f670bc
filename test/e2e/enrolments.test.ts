// Enrollment requests over protocols without accounts: transactions, and one-time secrets that start them.
import type { Client } from '@signetry/client';
import { parseCertificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { coreContext } from '../../packages/server/src/kernel/actor.ts';
import { namesBeyond } from '../../packages/server/src/areas/enrolments/index.ts';
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

const enrolments = () => server.running.areas.enrolments;

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

const asked = async (subject: string, others: object = {}) => ({
  protocol: 'est' as const,
  profile: profile(),
  transactionId: randomUUID(),
  kind: 'simpleenroll',
  requester: 'the test',
  request: await requestFor(subject),
  ...others,
});

const context = () => coreContext(randomUUID());
const listed = async (text: string) => (await client.enrolments.listEnrolments({ query: { text } })).enrolments;

describe('a transaction', () => {
  it('ends with a certificate, which is returned again for a repeated message', async () => {
    const request = await asked('CN=switch-1.example');
    const first = await enrolments().enrol(request, context());
    expect(first).toMatchObject({ isNew: true, enrolment: { state: 'issued' } });
    const { certificate, certificateUuid } = first.enrolment;
    expect(parseCertificate(certificate ?? new Uint8Array()).subject).toBeDefined();
    const again = await enrolments().enrol(request, context());
    expect(again).toMatchObject({ isNew: false, enrolment: { state: 'issued', certificateUuid } });
    expect(Buffer.from(again.enrolment.certificate ?? '')).toEqual(Buffer.from(certificate ?? 'none'));
    expect(await listed('switch-1')).toMatchObject([
      { state: 'issued', certificateUuid, kind: 'simpleenroll', requester: 'the test', profileName: 'devices' },
    ]);
  });

  it('starts once, even if the same message arrives multiple times simultaneously', async () => {
    const request = await asked('CN=switch-2.example');
    const all = await Promise.all(Array.from({ length: 8 }, () => enrolments().enrol(request, context())));
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(all.map(({ enrolment }) => enrolment.certificateUuid)).size).toBe(1);
    const certificates = await client.certificates.listCertificates({ body: { itemsPerPage: 1000 } });
    expect(certificates.certificates.filter(({ commonName }) => commonName === 'switch-2.example')).toHaveLength(1);
  });

  it('waits for approval if it is required, and ends when a decision is made', async () => {
    const request = await asked('CN=switch-3.example', { requireManualApproval: true });
    const { enrolment } = await enrolments().enrol(request, context());
    expect(enrolment).toMatchObject({ state: 'waiting', certificate: undefined });
    expect(await listed('switch-3')).toMatchObject([{ state: 'waiting' }]);
    const params = { ...path, certificateUuid: enrolment.certificateUuid };
    await client.clientOperations.issueRequestedCertificate({ params });
    expect(await listed('switch-3')).toMatchObject([{ state: 'issued' }]);
    const { protocol, transactionId } = request;
    const found = await enrolments().find({ protocol, profileUuid: request.profile.uuid, transactionId });
    expect(found?.certificate).toBeInstanceOf(Uint8Array);
  });

  it('is rejected with the error message for the violated rule', async () => {
    const disabled = { ...profile(), raProfile: undefined };
    const request = await asked('CN=switch-4.example', { profile: disabled });
    const { enrolment } = await enrolments().enrol(request, context());
    expect(enrolment).toMatchObject({ state: 'refused', problem: expect.stringContaining('has no RA profile') });
  });

  it('renews if the key is the same, rekeys if the key is different, and links the certificate to its predecessor', async () => {
    const first = await asked('CN=switch-5.example');
    const { enrolment } = await enrolments().enrol(first, context());
    const predecessorUuid = enrolment.certificateUuid;
    const same = { ...first, transactionId: randomUUID(), predecessorUuid };
    const renewed = await enrolments().enrol(same, context());
    const rekeyed = await enrolments().enrol(await asked('CN=switch-5.example', { predecessorUuid }), context());
    expect([renewed.enrolment.state, rekeyed.enrolment.state]).toEqual(['issued', 'issued']);
    const successorsOf = (await client.certificates.getCertificate({ params: { uuid: predecessorUuid } }))
      .relatedCertificates;
    expect(successorsOf?.map(({ uuid }) => uuid).sort()).toEqual(
      [renewed.enrolment.certificateUuid, rekeyed.enrolment.certificateUuid].sort(),
    );
    const other = await enrolments().enrol(await asked('CN=router.example', { predecessorUuid }), context());
    expect(other.enrolment).toMatchObject({ state: 'refused', problem: expect.stringContaining('subject') });
  });

  it('is continued if its node was killed before it requested the certificate', async () => {
    const request = await asked('CN=switch-6.example');
    const { database } = server.running.platform;
    await enrolments().enrol({ ...request, requireManualApproval: true }, context());
    await database.query(`DELETE FROM certificate WHERE common_name = 'switch-6.example'`);
    expect(await enrolments().enrol(request, context())).toMatchObject({
      isNew: false,
      enrolment: { state: 'waiting' },
    });
    await database.query(`UPDATE enrolment SET updated_at = now() - interval '2 minutes' WHERE transaction_id = $1`, [
      request.transactionId,
    ]);
    const foreign = {
      ...(await asked('CN=switch-7.example')),
      profile: request.profile,
      transactionId: request.transactionId,
    };
    expect(await enrolments().enrol(foreign, context())).toMatchObject({ isNew: false });
    expect(await enrolments().enrol(request, context())).toMatchObject({ isNew: true, enrolment: { state: 'issued' } });
  });

  it('that is rejected before it starts is recorded, up to a limit', async () => {
    const refused = { ...(await asked('CN=x')), profile: profile(), problem: 'The MAC is wrong.' };
    for (let each = 0; each < 40; each++) await enrolments().noteRefusal({ ...refused, requester: 'noise\0' });
    const notes = await client.enrolments.listEnrolments({ query: { text: 'noise' } });
    expect(notes.totalItems).toBe(30);
    expect(notes.enrolments[0]).toMatchObject({ state: 'refused', problem: 'The MAC is wrong.', requester: 'noise' });
  });

  it('is listed for users who can see its RA profile', async () => {
    const request = await asked('CN=hidden.example');
    await enrolments().enrol(request, context());
    const seeing = await limitedUser(server, [['raProfiles', 'list']]);
    expect((await seeing.enrolments.listEnrolments({ query: { text: 'hidden' } })).totalItems).toBe(1);
    const blind = await limitedUser(server, [['certificates', 'list']]);
    await expect(blind.enrolments.listEnrolments({ query: {} })).rejects.toMatchObject({ status: 403 });
  });
});

describe('a one-time secret', () => {
  const handOut = (body: { subject?: string; expiresAt?: string } = {}) =>
    client.enrolmentSecrets.handOutEnrolmentSecret({ params: path, body: { protocol: 'scep', ...body } });
  const find = (secret: string) =>
    enrolments().secrets.findBySecret({ protocol: 'scep', raProfileUuid: path.raProfileUuid, secret });
  const states = async (uuid: string) =>
    (await client.enrolmentSecrets.listEnrolmentSecrets({ params: path })).filter((each) => each.uuid === uuid);

  it('is shown only once, can be found by its value and its reference, and starts only one transaction', async () => {
    const { uuid, reference, secret } = await handOut({ subject: 'CN=phone.example' });
    expect(secret).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
    expect(JSON.stringify(await states(uuid))).not.toContain(secret);
    const found = await find(secret);
    expect(found).toMatchObject({ uuid, reference });
    const judged = await Promise.all(['CN=Phone.example', 'CN=other.example'].map(requestFor));
    expect(judged.map((request) => found?.names && namesBeyond(found.names, request) === undefined)).toEqual([
      true,
      false,
    ]);
    const named = { protocol: 'scep' as const, raProfileUuid: path.raProfileUuid, reference };
    expect((await enrolments().secrets.findByReference(named))?.secret.reveal()).toBe(secret);
    const ask = async () =>
      enrolments().enrol(await asked('CN=phone.example', { protocol: 'scep', oneTimeSecretUuid: uuid }), context());
    const outcomes = await Promise.allSettled([ask(), ask(), ask()]);
    const begun = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.enrolment] : []));
    expect(begun).toMatchObject([{ state: 'issued' }]);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: expect.stringContaining('already been used') },
    });
    expect(await find(secret)).toBeUndefined();
    expect(await states(uuid)).toMatchObject([{ state: 'used', enrolmentUuid: begun[0]?.uuid }]);
  });

  it('is rejected once expired or withdrawn, and for a different protocol', async () => {
    const { uuid, secret } = await handOut();
    const other = { protocol: 'est' as const, raProfileUuid: path.raProfileUuid, secret };
    expect(await enrolments().secrets.findBySecret(other)).toBeUndefined();
    await client.enrolmentSecrets.withdrawEnrolmentSecret({ params: { ...path, secretUuid: uuid } });
    expect(await find(secret)).toBeUndefined();
    expect(await states(uuid)).toMatchObject([{ state: 'withdrawn' }]);
    const late = await handOut();
    await server.running.platform.database.query(
      `UPDATE enrolment_secret SET expires_at = now() - interval '1 second' WHERE uuid = $1`,
      [late.uuid],
    );
    expect(await find(late.secret)).toBeUndefined();
    const use = await asked('CN=late.example', { protocol: 'scep', oneTimeSecretUuid: late.uuid });
    await expect(enrolments().enrol(use, context())).rejects.toThrow('has expired');
  });

  it('is not created if the parameters are invalid', async () => {
    for (const [body, words] of [
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'in the past'],
      [{ expiresAt: '2222-01-01T00:00:00Z' }, 'one year from now'],
      [{ subject: 'not a name' }, 'subject'],
    ] as const)
      await expect(handOut(body)).rejects.toMatchObject({ status: 422, problems: [expect.stringContaining(words)] });
    const params = { raProfileUuid: randomUUID(), authorityUuid: path.authorityUuid };
    const nowhere = client.enrolmentSecrets.handOutEnrolmentSecret({ params, body: { protocol: 'est' } });
    await expect(nowhere).rejects.toMatchObject({ status: 404 });
  });
});
