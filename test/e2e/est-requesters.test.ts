// Who is let in over EST, and with what: each refusal with its exact status and its words, and nothing issued.
import { parseCertificate } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { generateKeyPair, type KeyPair } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  DEVICE,
  EstClient,
  estRequest,
  identityOf,
  issuedIn,
  type EstAsked,
  type EstIdentity,
} from './testing/est-client.ts';
import { foreignAuthority, type ForeignSubject } from './testing/foreign-authority.ts';
import { defaultProfile } from './testing/profiles.ts';
import { send } from './testing/raw-request.ts';

const PROXY = '127.0.0.2';
const server = sharedTestServer({ args: ['--trusted-proxies', PROXY] });
const est = new EstClient(server);
const DAY_MS = 86_400_000;
/**
 * Names of profiles: as they are by default; trusting makers of devices, also for other names; taking no certificates
 * of our authority.
 */
let [usual, trusting, unbound, strict] = ['', '', '', ''];
let makerKeys: KeyPair;
const made: Record<string, EstIdentity> = {};

beforeAll(async () => {
  makerKeys = await generateKeyPair('P-256');
  const maker = await foreignAuthority('CN=Maker', makerKeys);
  const certificate = Buffer.from(maker.der).toString('base64');
  const { uuid } = await server.client.certificates.uploadCertificate({ body: { certificate, customAttributes: [] } });
  usual = await est.serve();
  trusting = await est.serve({ trustedCertificateUuids: [uuid] });
  unbound = await est.serve({ trustedCertificateUuids: [uuid], bindNames: false });
  strict = await est.serve({ ownCertificates: false });
  const byMaker = async (subject: Partial<ForeignSubject> = {}) => {
    const keys = await generateKeyPair('P-256');
    return identityOf(maker.issue({ subject: 'CN=device-1', spki: keys.spki, ...subject }), keys);
  };
  made['maker'] = await byMaker();
  made['expired'] = await byMaker({ notBeforeMs: Date.now() - 9 * DAY_MS, notAfterMs: Date.now() - DAY_MS });
  made['early'] = await byMaker({ notBeforeMs: Date.now() + DAY_MS });
  for (const name of ['good', 'archived', 'revoked', 'removed']) made[name] = await est.enrolled(`${name}-1`, usual);
  await server.client.certificates.archiveCertificate({ params: { uuid: await est.uuidOf('archived-1') } });
  await server.client.clientOperations.revokeCertificate({
    params: { ...(await defaultProfile(server.client)), certificateUuid: await est.uuidOf('revoked-1') },
    body: { reason: 'superseded', attributes: [] },
  });
  await server.client.certificates.deleteCertificate({ params: { uuid: await est.uuidOf('removed-1') } });
});

const identity = (name: string): EstIdentity => made[name] ?? expect.fail(`no ${name}`);

async function expectNothingIssued(asking: () => Promise<{ status: number; text: string }>) {
  const before = await est.count();
  const answer = await asking();
  expect(await est.count()).toBe(before);
  return answer;
}

describe('a client certificate', () => {
  const refused: readonly [string, string, () => string, string, string][] = [
    ['that expired', 'expired', () => trusting, 'device-1', 'it has expired'],
    ['that is not valid yet', 'early', () => trusting, 'device-1', 'it is not valid yet'],
    ['of an authority that is not trusted', 'maker', () => usual, 'device-1', 'is not accepted'],
    ['that is archived', 'archived', () => usual, 'archived-1', 'it is archived'],
    ['that is revoked', 'revoked', () => usual, 'revoked-1', 'it is revoked'],
    ['of our authority that the inventory does not hold', 'removed', () => usual, 'removed-1', 'the inventory does not hold it'], // prettier-ignore
    ['of our authority where the profile takes none', 'good', () => strict, 'good-1', 'is not accepted'],
  ];

  it.each(refused)('%s is refused, to enrol and to renew', async (_what, name, profile, commonName, words) => {
    for (const operation of ['simpleenroll', 'simplereenroll']) {
      const asked = { profile: profile(), identity: identity(name), body: await estRequest(commonName) };
      const answer = await expectNothingIssued(() => est.ask(operation, asked));
      expect(answer, operation).toMatchObject({ status: 403, text: expect.stringContaining(words) });
    }
  });

  it('of a trusted authority gets a first certificate, for any names where they are not bound', async () => {
    const asked = { profile: unbound, identity: identity('maker'), body: await estRequest('named-here-1') };
    expect(await est.ask('simpleenroll', asked)).toMatchObject({ status: 200 });
    expect(await est.count('named-here-1')).toBe(1);
  });

  it('of ours gets another one for its own names only, by either operation', async () => {
    for (const operation of ['simpleenroll', 'simplereenroll']) {
      const asked = { profile: usual, identity: identity('good'), body: await estRequest('other-1') };
      const answer = await expectNothingIssued(() => est.ask(operation, asked));
      const text = expect.stringContaining('the certificate CN=good-1 does not cover that name');
      expect(answer, operation).toMatchObject({ status: 403, text });
    }
  });

  it('is renewed with the same key, and with another one', async () => {
    const { keys } = identity('good');
    const renew = async (body: string) => {
      const answer = await est.ask('simplereenroll', { profile: usual, identity: identity('good'), body });
      expect(answer).toMatchObject({ status: 200 });
      return Buffer.from(parseCertificate(issuedIn(answer)).spki).equals(keys.spki);
    };
    expect(await renew(await estRequest('good-1', { keys }))).toBe(true);
    expect(await renew(await estRequest('good-1'))).toBe(false);
    expect(await est.count('good-1')).toBe(3);
  });
});

describe('a password', () => {
  const renewal = async (profile: string) => ({ profile, auth: DEVICE, body: await estRequest('by-password-1') });

  it('does not renew by default', async () => {
    const asked = await renewal(usual);
    const answer = await expectNothingIssued(() => est.ask('simplereenroll', asked));
    const text = expect.stringContaining('authenticated with the certificate being renewed');
    expect(answer).toMatchObject({ status: 403, text });
  });

  it('renews where the profile says so', async () => {
    const profile = await est.serve({ passwordsRenew: true });
    expect(await est.ask('simplereenroll', await renewal(profile))).toMatchObject({ status: 200 });
    expect(await est.count('by-password-1')).toBe(1);
  });
});

describe('a body', () => {
  it('may have the line breaks and the spaces of RFC 8951 §2', async () => {
    const body = ((await estRequest('broken-lines-1')).match(/.{1,64}/g) ?? []).join('\r\n');
    const ask = (text: string) => est.ask('simpleenroll', { profile: usual, auth: DEVICE, body: text });
    expect(await ask(`${body}\r\n`)).toMatchObject({ status: 200 });
    expect(await ask(` ${body.replaceAll('\r\n', '\n\t')}`)).toMatchObject({ status: 200 });
    expect(await est.count('broken-lines-1')).toBe(1);
  });

  const refused: readonly [string, number, string, Partial<EstAsked>][] = [
    ['of another media type', 415, 'application/pkcs10', { headers: { 'content-type': 'text/plain' } }],
    ['of no media type', 415, 'application/pkcs10', { headers: { 'content-type': '' } }],
    ['that is not Base64', 400, 'neither Base64 nor DER', { body: 'MIIB*ese' }],
    ['that is Base64 of something else', 400, 'request', { body: 'aGVsbG8=' }],
    ['that is empty', 400, 'is empty', { body: '' }],
    ['of the largest size, of zeros', 400, 'neither Base64 nor DER', { body: Buffer.alloc(65_536) }],
    ['one octet larger', 413, '65536', { body: Buffer.alloc(65_537) }],
  ];

  it.each(refused)('%s is refused', async (_what, status, words, asked) => {
    const sent = { profile: usual, auth: DEVICE, body: await estRequest('bad-1'), ...asked };
    const answer = await expectNothingIssued(() => est.ask('simpleenroll', sent));
    expect(answer).toMatchObject({ status, text: expect.stringContaining(words) });
  });

  it('that ends early is refused, wherever it ends', async () => {
    const der = Buffer.from(await estRequest('cut-1'), 'base64');
    const headers = {
      'content-type': 'application/pkcs10',
      'x-forwarded-proto': 'https',
      authorization: `Basic ${Buffer.from(DEVICE).toString('base64')}`,
    };
    const statuses = new Set<number>();
    for (let end = 0; end < der.length; end++) {
      const body = der.subarray(0, end).toString('base64');
      const asked = { method: 'POST', from: PROXY, headers, body };
      statuses.add((await send(server.ready.http, `/.well-known/est/${usual}/simpleenroll`, asked)).status);
    }
    expect([...statuses]).toEqual([400]);
    expect(await est.count('cut-1')).toBe(0);
  });
});

describe('an address', () => {
  it.each([
    ['with another method', 405, 'simpleenroll', { method: 'GET', body: undefined }],
    ['of CA certificates that is posted to', 405, 'cacerts', {}],
    ['with an unknown label', 404, 'simpleenroll', { profile: 'nobody-made-it' }],
    ['with an unknown operation', 404, 'simplyenroll', {}],
  ] as const)('%s is refused', async (_what, status, operation, asked) => {
    const sent = { profile: usual, auth: DEVICE, body: await estRequest('bad-1'), ...asked };
    const answer = await expectNothingIssued(() => est.ask(operation, sent));
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/\w{3,} \w{2,}/);
  });

  it('of fullcmc is answered in words, with the media type that its clients send', async () => {
    const headers = { 'content-type': 'application/pkcs7-mime; smime-type=CMC-request' };
    const sent = { profile: usual, auth: DEVICE, body: 'MAA=', headers };
    const answer = await expectNothingIssued(() => est.ask('fullcmc', sent));
    expect(answer).toMatchObject({
      status: 501,
      text: expect.stringContaining('does not offer fullcmc. Use simpleenroll'),
    });
  });
});
