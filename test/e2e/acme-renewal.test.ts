// Renewal information (RFC 9773): when certificates should be renewed, and orders that specify the certificate that
// they replace.
import { X509Certificate } from 'node:crypto';
import { makeSigningRequest, type AcmeReply, type AcmeTestClient } from '@signetry/testkit/acme';
import { beforeAll, describe, expect, it } from 'vitest';
import { certificateId } from './testing/acme-certificate-id.ts';
import { expectProblem } from './testing/acme-problems.ts';
import { addAcmeProfile } from './testing/acme-profiles.ts';
import { sharedAcmeServer } from './testing/acme-server.ts';
import { issue as issueByRest } from './testing/certificates.ts';
import { createExternalAuthority } from './testing/external-authority.ts';
import { defaultProfile } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

interface RenewalInfo {
  readonly suggestedWindow: { readonly start: string; readonly end: string };
}

const acme = sharedAcmeServer();
let client: AcmeTestClient;

beforeAll(async () => {
  client = await acme.account();
});

async function issueCertificate(names = [acme.host('renew')], account = client) {
  const { chain, order } = await acme.issue(account, names);
  const certificate = new X509Certificate(chain);
  return { names, certificate, id: certificateId(certificate), order };
}

const infoOf = async (id: string): Promise<AcmeReply<RenewalInfo>> =>
  (await client.request(`${(await client.directory()).renewalInfo}/${id}`)) as AcmeReply<RenewalInfo>;
const orderReplacement = (id: unknown, names: readonly string[], account = client) =>
  account.newOrder({ identifiers: names.map((value) => ({ type: 'dns', value })), replaces: id });

describe('renewal information', () => {
  it('is advertised in the directory and does not require a signature (RFC 9773 §3, §4.1)', async () => {
    const { certificate, id } = await issueCertificate();
    const { renewalInfo = '' } = await client.directory();
    expect(renewalInfo).toMatch(/\/renewal-info$/);
    const reply = await infoOf(id);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    // Some clients retain the nonce of an unsigned request.
    for (const unsigned of [reply, await client.request(acme.server.ready.acmeDirectory)])
      expect(unsigned.headers).not.toHaveProperty('replay-nonce');
    const { start, end } = reply.body.suggestedWindow;
    expect([start, end]).toEqual([expect.stringMatching(/Z$/), expect.stringMatching(/Z$/)]);
    const [from, to] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()];
    expect(Date.parse(start)).toBeGreaterThan(from + (to - from) / 2);
    expect(Date.parse(end)).toBeGreaterThan(Date.parse(start));
    expect(Date.parse(end)).toBeLessThan(to);
    const retryAfter = Number(reply.headers['retry-after']);
    expect(retryAfter).toBeGreaterThanOrEqual(60);
    expect(retryAfter).toBeLessThanOrEqual(86_400);
    expect((await infoOf(id)).body).toEqual(reply.body);
  });

  it('spreads out the renewals of certificates that were issued simultaneously (§4.2)', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, () => issueCertificate()));
    const windows = await Promise.all(many.map(async ({ id }) => (await infoOf(id)).body.suggestedWindow));
    const starts = windows.map(({ start }) => Date.parse(start));
    expect(new Set(starts).size).toBe(12);
    const dayMs = 24 * 3_600_000;
    expect(Math.max(...starts) - Math.min(...starts)).toBeGreaterThan(dayMs);
    for (const { start, end } of windows) expect(Date.parse(end) - Date.parse(start)).toBeGreaterThan(dayMs / 2);
  });

  it('for a revoked certificate is a window in the past (§4.2)', async () => {
    const { certificate, id } = await issueCertificate();
    await client.revoke(certificate.raw);
    const { start, end } = (await infoOf(id)).body.suggestedWindow;
    expect(Date.parse(start)).toBeLessThan(Date.parse(end));
    expect(Date.parse(end)).toBeLessThan(Date.now());
  });

  it('is available for certificates that were issued through a different interface', async () => {
    const { client: admin } = acme.server;
    const { x509 } = await issueByRest(
      admin,
      await defaultProfile(admin),
      await makeRequest({ subject: 'CN=rest.example' }),
    );
    expect((await infoOf(certificateId(x509))).status).toBe(200);
  });

  it('returns 404 for a certificate that was not issued here (§4.1)', async () => {
    const { id } = await issueCertificate();
    const [key = '', serial = ''] = id.split('.');
    const foreign = new X509Certificate((await createExternalAuthority('CN=Foreign')).der);
    const body = { certificate: foreign.raw.toString('base64'), customAttributes: [] };
    await acme.server.client.certificates.uploadCertificate({ body });
    const foreignKey = certificateId(foreign).split('.')[0] ?? '';
    for (const other of [
      `${key}.AQ`,
      `${foreignKey}.${serial}`,
      certificateId(foreign),
      `${Buffer.alloc(20).toString('base64url')}.${serial}`,
      `${key}.${Buffer.concat([Buffer.from(serial, 'base64url'), Buffer.of(0)]).toString('base64url')}`,
    ])
      expectProblem(await infoOf(other), 404, 'malformed');
  });

  it.each([
    ['no key identifier and serial number', 'x'],
    ['no dot', 'aYhba4dGQEHhs3uEe6CuLN4ByNQ'],
    ['two dots', 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE.x'],
    ['padding', 'aYhba4dGQEHhs3uEe6CuLN4ByNQ%3D.AIdlQyE%3D'],
    ['no serial number', 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.'],
    ['no key identifier', '.AIdlQyE'],
    ['characters outside of base64url', 'aYhba4dGQEHhs3uEe6CuLN4B+NQ.AIdlQyE'],
    ['a 30-byte serial number', `aYhba4dGQEHhs3uEe6CuLN4ByNQ.${Buffer.alloc(30, 1).toString('base64url')}`],
    ['the format of an old draft', Buffer.alloc(60).toString('base64url')],
  ])('returns 400 for an identifier with %s (§4.1)', async (_what, id) => {
    expectProblem(await infoOf(id), 400, 'malformed');
  });
});

describe('early renewal requested by an operator (RFC 9773 §4.2)', () => {
  const renewal = () => acme.server.client.certificateRenewal;
  const uuidOf = async ({ certificate }: { readonly certificate: X509Certificate }): Promise<string> => {
    const { certificates } = await acme.server.client.certificates.listCertificates({
      body: {
        filters: [
          {
            fieldSource: 'property',
            fieldIdentifier: 'SERIAL_NUMBER',
            condition: 'EQUALS',
            value: certificate.serialNumber.toLowerCase(),
          },
        ],
      },
    });
    expect(certificates).toHaveLength(1);
    return certificates[0]?.uuid ?? '';
  };

  it('spreads the certificates over the period, states the reason, and can be withdrawn', async () => {
    const some = await Promise.all(Array.from({ length: 5 }, () => issueCertificate()));
    const usual = await Promise.all(some.map(async ({ id }) => (await infoOf(id)).body));
    const uuids = await Promise.all(some.map(uuidOf));
    const [first = '', ...others] = uuids;
    expect((await renewal().getRenewalWindow({ params: { uuid: first } })).reason).toBe('rule');
    const start = new Date();
    const explanationUrl = 'https://status.example/incident';
    const report = await renewal().requestEarlyRenewal({ body: { certificateUuids: uuids, explanationUrl } });
    expect(report).toEqual({ asked: 5, refused: [] });
    const early = await Promise.all(some.map(async ({ id }) => (await infoOf(id)).body));
    expect(new Set(early.map(({ suggestedWindow }) => suggestedWindow.start)).size).toBe(5);
    for (const info of early) {
      expect(info).toHaveProperty('explanationURL', explanationUrl);
      expect(Date.parse(info.suggestedWindow.start)).toBeGreaterThanOrEqual(start.getTime() - 1000);
      expect(Date.parse(info.suggestedWindow.end)).toBeLessThanOrEqual(Date.now() + 24 * 3_600_000);
    }
    expect(await renewal().getRenewalWindow({ params: { uuid: first } })).toMatchObject({
      reason: 'asked',
      explanationUrl,
    });

    await renewal().withdrawEarlyRenewal({ params: { uuid: first } });
    await renewal().withdrawEarlyRenewal({ params: { uuid: first } });
    expect((await infoOf(some[0]?.id ?? '')).body).toEqual(usual[0]);
    expect((await renewal().getRenewalWindow({ params: { uuid: others[0] ?? '' } })).reason).toBe('asked');
  });

  it('skips revoked, unknown and foreign certificates, and reports them', async () => {
    const [revoked, used] = [await issueCertificate(), await issueCertificate()];
    const uuids = [await uuidOf(revoked), await uuidOf(used)];
    await client.revoke(revoked.certificate.raw);
    const body = {
      certificate: Buffer.from((await createExternalAuthority('CN=Foreign')).der).toString('base64'),
      customAttributes: [],
    };
    const { uuid: foreign } = await acme.server.client.certificates.uploadCertificate({ body });
    const unknown = '0194a000-0000-7000-8000-000000000000';
    const certificateUuids = [...uuids, foreign, unknown];
    const { asked, refused } = await renewal().requestEarlyRenewal({ body: { certificateUuids } });
    expect(asked).toBe(1);
    expect(refused.map(({ uuid, message }) => [uuid, message])).toEqual([
      [uuids[0], expect.stringContaining('revoked')],
      [foreign, expect.stringContaining('not issued by this platform')],
      [unknown, expect.stringContaining('not found')],
    ]);
    await expect(renewal().getRenewalWindow({ params: { uuid: foreign } })).rejects.toMatchObject({ status: 422 });
  });

  it.each([
    ['that ends before it starts', { start: '2040-01-02T00:00:00Z', end: '2040-01-01T00:00:00Z' }],
    ['that is in the past', { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' }],
  ])('rejects a period %s', async (_what, period) => {
    const body = { certificateUuids: ['0194a000-0000-7000-8000-000000000000'], ...period };
    await expect(renewal().requestEarlyRenewal({ body })).rejects.toMatchObject({ status: 422 });
  });
});

describe('an order that replaces a certificate (RFC 9773 §5)', () => {
  it('identifies that certificate in every response, and is issued like any other', async () => {
    const { names, id } = await issueCertificate();
    const placed = await orderReplacement(id, names);
    expect([placed.status, placed.body.replaces], placed.text).toEqual([201, id]);
    expect((await client.order(placed.location ?? '')).body.replaces).toBe(id);
    await acme.prove(client, placed.body.authorizations[0] ?? '');
    expect((await client.order(placed.location ?? '')).body).toMatchObject({ status: 'ready', replaces: id });
  });

  it('must share at least one name with it, and can contain other names', async () => {
    const { names, id } = await issueCertificate([acme.host('common'), acme.host('common')]);
    expectProblem(await orderReplacement(id, [acme.host('strange')]), 400, 'malformed');
    expect((await orderReplacement(id, [names[1] ?? '', acme.host('more')])).status).toBe(201);
  });

  it('is rejected while a different order for the certificate is open, and after the certificate has been replaced', async () => {
    const { names, id } = await issueCertificate();
    const more = [...names, acme.host('more')];
    const first = await orderReplacement(id, names);
    expectProblem(await orderReplacement(id, more), 409, 'alreadyReplaced');
    await acme.prove(client, first.body.authorizations[0] ?? '');
    expectProblem(await orderReplacement(id, more), 409, 'alreadyReplaced');
    // Requesting it again does not create a new order.
    const again = await orderReplacement(id, names);
    expect([again.status, again.location, again.body.status]).toEqual([201, first.location, 'ready']);
    const { der } = await makeSigningRequest({ names });
    expect((await client.finalize(first.body.finalize, der)).body).toMatchObject({ status: 'valid', replaces: id });
    expectProblem(await orderReplacement(id, names), 409, 'alreadyReplaced');
    expect((await client.newOrder(names)).status).toBe(201);
  });

  it('is accepted only once out of multiple concurrent orders', async () => {
    const { names, id } = await issueCertificate();
    const placed = await Promise.all(
      Array.from({ length: 6 }, (_, at) => orderReplacement(id, [...names, `at-${at}.acme.test`])),
    );
    const [standing, ...others] = placed.toSorted((one, other) => one.status - other.status);
    expect(standing?.status).toBe(201);
    for (const other of others) expectProblem(other, 409, 'alreadyReplaced');
    expect((await client.order(standing?.location ?? '')).body.status).toBe('pending');
  });

  it('no longer prevents a new order after it has become invalid or expired', async () => {
    const { names, id } = await issueCertificate();
    const first = await orderReplacement(id, names);
    await client.signed(first.body.authorizations[0] ?? '', { status: 'deactivated' });
    expect((await orderReplacement(id, names)).status).toBe(201);
    const short = await addAcmeProfile(acme);
    const account = await acme.account(short);
    const own = await issueCertificate([acme.host('short')], account);
    await short.edit({ validity: 0 });
    expect((await orderReplacement(own.id, own.names, account)).status).toBe(201);
    expect((await orderReplacement(own.id, own.names, account)).status).toBe(201);
  });

  it('must be from the account that requested the certificate; other accounts cannot learn that it exists', async () => {
    const { names, id } = await issueCertificate();
    const other = await acme.account();
    const foreign = expectProblem(await orderReplacement(id, names, other), 400, 'malformed');
    const unknown = expectProblem(await orderReplacement(`${id.split('.')[0]}.AQ`, names, other), 400, 'malformed');
    expect(foreign.detail).toBe(unknown.detail);
  });

  it.each([[''], ['x'], ['a.b.c'], [1], [null], [{}]])('is rejected with the identifier %j', async (id) => {
    expectProblem(await orderReplacement(id, [acme.host('bad')]), 400, 'malformed');
  });
});
