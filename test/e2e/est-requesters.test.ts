// Authentication over EST: each rejection with its exact status and error message, and nothing issued.
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
  type EstRequestSpec,
  type EstIdentity,
} from './testing/est-client.ts';
import { createExternalAuthority, type ExternalSubject } from './testing/external-authority.ts';
import { defaultProfile } from './testing/profiles.ts';
import { send } from './testing/raw-request.ts';

const PROXY = '127.0.0.2';
const server = sharedTestServer({ args: ['--trusted-proxies', PROXY] });
const est = new EstClient(server);
const DAY_MS = 86_400_000;
/**
 * Names of profiles: default settings; trusts device manufacturers; also for different names; accepts no certificates
 * from our authority.
 */
let [usual, trusting, unbound, strict] = ['', '', '', ''];
let makerKeys: KeyPair;
const made: Record<string, EstIdentity> = {};

beforeAll(async () => {
  makerKeys = await generateKeyPair('P-256');
  const maker = await createExternalAuthority('CN=Maker', makerKeys);
  const certificate = Buffer.from(maker.der).toString('base64');
  const { uuid } = await server.client.certificates.uploadCertificate({ body: { certificate, customAttributes: [] } });
  usual = await est.serve();
  trusting = await est.serve({ trustedCertificateUuids: [uuid] });
  unbound = await est.serve({ trustedCertificateUuids: [uuid], bindNames: false });
  strict = await est.serve({ ownCertificates: false });
  const issueByMaker = async (subject: Partial<ExternalSubject> = {}) => {
    const keys = await generateKeyPair('P-256');
    return identityOf(maker.issue({ subject: 'CN=device-1', spki: keys.spki, ...subject }), keys);
  };
  made['maker'] = await issueByMaker();
  made['expired'] = await issueByMaker({ notBeforeMs: Date.now() - 9 * DAY_MS, notAfterMs: Date.now() - DAY_MS });
  made['early'] = await issueByMaker({ notBeforeMs: Date.now() + DAY_MS });
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
    ['that has expired', 'expired', () => trusting, 'device-1', 'it has expired'],
    ['that is not yet valid', 'early', () => trusting, 'device-1', 'it is not yet valid'],
    ['from an untrusted authority', 'maker', () => usual, 'device-1', 'is not accepted'],
    ['that is archived', 'archived', () => usual, 'archived-1', 'it is archived'],
    ['that is revoked', 'revoked', () => usual, 'revoked-1', 'it is revoked'],
    ['from our authority that is not in the inventory', 'removed', () => usual, 'removed-1', 'it is not in the inventory'], // prettier-ignore
    [
      'from our authority, under a profile that does not accept those',
      'good',
      () => strict,
      'good-1',
      'is not accepted',
    ],
  ];

  it.each(refused)('%s is rejected for enrollment and renewal', async (_what, name, profile, commonName, words) => {
    for (const operation of ['simpleenroll', 'simplereenroll']) {
      const asked = { profile: profile(), identity: identity(name), body: await estRequest(commonName) };
      const answer = await expectNothingIssued(() => est.ask(operation, asked));
      expect(answer, operation).toMatchObject({ status: 403, text: expect.stringContaining(words) });
    }
  });

  it('from a trusted authority gets a first certificate, for any names if names are not bound', async () => {
    const asked = { profile: unbound, identity: identity('maker'), body: await estRequest('named-here-1') };
    expect(await est.ask('simpleenroll', asked)).toMatchObject({ status: 200 });
    expect(await est.count('named-here-1')).toBe(1);
  });

  it('from our authority gets further certificates only for its own names, with either operation', async () => {
    for (const operation of ['simpleenroll', 'simplereenroll']) {
      const asked = { profile: usual, identity: identity('good'), body: await estRequest('other-1') };
      const answer = await expectNothingIssued(() => est.ask(operation, asked));
      const text = expect.stringContaining('the certificate CN=good-1 does not cover that name');
      expect(answer, operation).toMatchObject({ status: 403, text });
    }
  });

  it('is renewed with the same key or a different one', async () => {
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

  it('cannot be used for renewal by default', async () => {
    const asked = await renewal(usual);
    const answer = await expectNothingIssued(() => est.ask('simplereenroll', asked));
    const text = expect.stringContaining('authenticated with the certificate being renewed');
    expect(answer).toMatchObject({ status: 403, text });
  });

  it('can be used for renewal if the profile allows it', async () => {
    const profile = await est.serve({ passwordsRenew: true });
    expect(await est.ask('simplereenroll', await renewal(profile))).toMatchObject({ status: 200 });
    expect(await est.count('by-password-1')).toBe(1);
  });
});

describe('a request body', () => {
  it('can have line breaks and spaces (RFC 8951 §2)', async () => {
    const body = ((await estRequest('broken-lines-1')).match(/.{1,64}/g) ?? []).join('\r\n');
    const ask = (text: string) => est.ask('simpleenroll', { profile: usual, auth: DEVICE, body: text });
    expect(await ask(`${body}\r\n`)).toMatchObject({ status: 200 });
    expect(await ask(` ${body.replaceAll('\r\n', '\n\t')}`)).toMatchObject({ status: 200 });
    expect(await est.count('broken-lines-1')).toBe(1);
  });

  const refused: readonly [string, number, string, Partial<EstRequestSpec>][] = [
    ['of a different media type', 415, 'application/pkcs10', { headers: { 'content-type': 'text/plain' } }],
    ['without a media type', 415, 'application/pkcs10', { headers: { 'content-type': '' } }],
    ['that is not Base64', 400, 'neither a Base64 nor a DER encoding', { body: 'MIIB*ese' }],
    ['that is the Base64 encoding of other data', 400, 'request', { body: 'aGVsbG8=' }],
    ['that is empty', 400, 'is empty', { body: '' }],
    ['of the maximum size, all zeros', 400, 'neither a Base64 nor a DER encoding', { body: Buffer.alloc(65_536) }],
    ['one byte over the maximum size', 413, '65536', { body: Buffer.alloc(65_537) }],
  ];

  it.each(refused)('%s is rejected', async (_what, status, words, asked) => {
    const sent = { profile: usual, auth: DEVICE, body: await estRequest('bad-1'), ...asked };
    const answer = await expectNothingIssued(() => est.ask('simpleenroll', sent));
    expect(answer).toMatchObject({ status, text: expect.stringContaining(words) });
  });

  it('that is truncated at any position is rejected', async () => {
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

describe('a URL', () => {
  it.each([
    ['with a different method', 405, 'simpleenroll', { method: 'GET', body: undefined }],
    ['of the CA certificates, with method POST', 405, 'cacerts', {}],
    ['with an unknown label', 404, 'simpleenroll', { profile: 'nobody-made-it' }],
    ['with an unknown operation', 404, 'simplyenroll', {}],
  ] as const)('%s is rejected', async (_what, status, operation, asked) => {
    const sent = { profile: usual, auth: DEVICE, body: await estRequest('bad-1'), ...asked };
    const answer = await expectNothingIssued(() => est.ask(operation, sent));
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(/\w{3,} \w{2,}/);
  });

  it('for fullcmc returns an explanation, even for the media type that its clients send', async () => {
    const headers = { 'content-type': 'application/pkcs7-mime; smime-type=CMC-request' };
    const sent = { profile: usual, auth: DEVICE, body: 'MAA=', headers };
    const answer = await expectNothingIssued(() => est.ask('fullcmc', sent));
    expect(answer).toMatchObject({
      status: 501,
      text: expect.stringContaining('does not support fullcmc. Use simpleenroll'),
    });
  });
});
