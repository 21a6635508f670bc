// SCEP server operations, with certificates in memory.
import { parseCertificate, readPkcs7, readScepMessage, type ScepFailInfo } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import type { SigningCertificate } from '../../areas/signing-certificates/index.ts';
import { coreContext } from '../../kernel/actor.ts';
import { Secret } from '../../kernel/secret.ts';
import { serve, type ScepParts, type ScepRequest } from './server.ts';
import {
  makeDevice,
  makeMessage,
  requestOf,
  serviceOf,
  type Device,
  type MessageSpec,
} from './testing/scep-messages.ts';
import { createPorts, type ScepPorts } from './testing/scep-ports.ts';
import { RA_PROFILE, servedProfile } from './testing/served-profile.ts';

let device: Device;
let issuer: Device;
let own: Device;
let ports: ScepPorts;

beforeAll(async () => {
  device = await makeDevice('device.example');
  issuer = await makeDevice('issuer.example', { ca: true });
  own = await makeDevice('scep.example', { issuer });
});
beforeEach(() => {
  ports = createPorts();
});

interface Served {
  /** `null`: no profile has this name. */
  readonly profile?: Partial<ServedScepProfile> | null;
  readonly ca?: SigningCertificate;
  readonly next?: SigningCertificate;
}

const ask = (request: Partial<ScepRequest>, { profile = {}, ca = serviceOf(own), next }: Served = {}) => {
  const parts: ScepParts = {
    ...ports.parts,
    profiles: { find: async () => (profile === null ? undefined : servedProfile(profile)) },
    signingCertificates: { reach: async () => ca, successorOf: async () => next },
  };
  const whole = { family: 'profile', name: 'routers', operation: '', message: new Uint8Array(), ...request } as const;
  return serve(parts, whole, coreContext('test'));
};

describe('the SCEP server', () => {
  it.each<[string, Served['profile'], string]>([
    ['there is no profile', null, 'No SCEP profile is served under the name routers.'],
    ['the profile is disabled', { enabled: false }, 'No SCEP profile is served under the name routers.'],
    ['it has no RA profile', { raProfile: undefined }, 'The SCEP profile routers has no enabled RA profile.'],
    [
      'its RA profile is disabled',
      { raProfile: { ...RA_PROFILE, enabled: false } },
      'The SCEP profile routers has no enabled RA profile.',
    ],
  ])('serves nothing if %s', async (_what, profile, message) => {
    for (const operation of ['GetCACaps', 'GetCACert', 'PKIOperation'])
      await expect(ask({ operation }, { profile })).rejects.toMatchObject({ code: 'certificate_operation', message });
  });

  it.each([
    ['', 'The operation  is not supported; GetCACaps lists the supported ones.'],
    ['getcacert', 'The operation getcacert is not supported; GetCACaps lists the supported ones.'],
    ['x'.repeat(10_000), `The operation ${'x'.repeat(100)} is not supported; GetCACaps lists the supported ones.`],
  ])('serves only known operations, not "%s"', async (operation, message) => {
    await expect(ask({ operation })).rejects.toMatchObject({ code: 'certificate_operation', message });
  });

  it('includes only the beginning of a long unknown name in the error message', async () => {
    await expect(ask({ name: 'x'.repeat(10_000) }, { profile: null })).rejects.toMatchObject({
      message: `No SCEP profile is served under the name ${'x'.repeat(100)}.`,
    });
  });
});

describe('GetCACaps', () => {
  const STANDARD = ['AES', 'POSTPKIOperation', 'Renewal', 'SHA-256', 'SHA-384', 'SHA-512', 'SCEPStandard'];
  const capabilities = async (served: Served) => {
    const { media, body } = await ask({ operation: 'GetCACaps' }, served);
    return [media, ...String(body).split('\n')];
  };

  it.each([
    ['the standard', false, false, []],
    ['a next certificate where there is one', false, true, ['GetNextCACert']],
    ['what old clients know where they are allowed', true, false, ['SHA-1', 'DES3']],
    ['both', true, true, ['GetNextCACert', 'SHA-1', 'DES3']],
  ])('lists %s', async (_what, allowOldClients, hasNext, more) => {
    const next = hasNext ? { next: serviceOf(own) } : {};
    expect(await capabilities({ profile: { allowOldClients }, ...next })).toEqual([
      'text/plain',
      ...STANDARD,
      ...more,
      '',
    ]);
  });
});

describe('GetCACert', () => {
  it('returns the certificate, and its issuers if there are any', async () => {
    expect(await ask({ operation: 'GetCACert' })).toEqual({ media: 'application/x-x509-ca-cert', body: own.der });
    const { media, body } = await ask({ operation: 'GetCACert' }, { ca: serviceOf(own, issuer) });
    expect(media).toBe('application/x-x509-ca-ra-cert');
    const names = readPkcs7(body as Uint8Array).map((der) => parseCertificate(der).serialNumber); // binary
    expect(names).toEqual([own, issuer].map(({ certificate }) => certificate.serialNumber));
  });
});

describe('GetNextCACert', () => {
  it('responds only if a successor has been issued', async () => {
    await expect(ask({ operation: 'GetNextCACert' })).rejects.toMatchObject({
      code: 'certificate_operation',
      message: 'No successor has been issued yet for the RA certificate of the SCEP profile routers.',
    });
    const { media } = await ask({ operation: 'GetNextCACert' }, { next: serviceOf(own) });
    expect(media).toBe('application/x-x509-next-ca-cert');
  });
});

describe('PKIOperation', () => {
  const operate = async (wish: Partial<MessageSpec> = {}, served: Served = {}) => {
    const content = requestOf(device);
    const message = await makeMessage({ signer: device, recipient: own.certificate, content, ...wish });
    const { media, body } = await ask({ operation: 'PKIOperation', message }, served);
    expect(media).toBe('application/x-pki-message');
    const { status, failInfo, failInfoText } = readScepMessage(body as Uint8Array, nodeCrypto.digest); // binary
    return { status, failInfo, failInfoText };
  };

  it('answers a request without recording a rejection', async () => {
    expect(await operate()).toEqual({ status: 'pending', failInfo: undefined, failInfoText: undefined });
    ports.state.outcome = { state: 'issued', certificate: device.der };
    expect(await operate({ transactionId: 'T2' })).toMatchObject({ status: 'success' });
    expect(ports.refusals).toEqual([]);
  });

  it.each<[string, Partial<MessageSpec>, ScepFailInfo]>([
    ['a forged signature', { isForged: true }, 'badMessageCheck'],
    ['SHA-1', { digest: 'SHA1' }, 'badAlg'],
    ['triple DES', { cipher: 'des-ede3-cbc' }, 'badAlg'],
    ['no content', { envelope: new Uint8Array() }, 'badRequest'],
    ['content that is no request', { content: Buffer.from('garbage') }, 'badRequest'],
    ['no challenge', {}, 'badMessageCheck'],
    ['a renewal by a stranger', { type: 'RenewalReq' }, 'badMessageCheck'],
    ['an answer instead of a request', { type: 'CertRep' }, 'badRequest'],
  ])('rejects %s, records it for administrators, and starts no enrollment', async (_what, wish, failInfo) => {
    const refused = await operate(
      { transactionId: 'T1', ...wish },
      { profile: { challengePassword: new Secret('p') } },
    );
    expect(refused).toMatchObject({ status: 'failure', failInfo, failInfoText: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(ports.refusals).toMatchObject([
      {
        protocol: 'scep',
        transactionId: 'T1',
        kind: wish.type ?? 'PKCSReq',
        requester: 'CN=device.example, O=Test',
        problem: `${refused.failInfoText} (${failInfo})`,
      },
    ]);
    expect(ports.begun).toEqual([]);
  });

  it('returns an HTTP error for bytes that are not a message', async () => {
    for (const message of [new Uint8Array(), Buffer.from('garbage')])
      await expect(ask({ operation: 'PKIOperation', message })).rejects.toMatchObject({
        code: 'certificate_operation',
        message: expect.stringMatching(/^The message is not a DER-encoded SCEP message \(RFC 8894 §3\)\./),
      });
    const unread = { protocol: 'scep', transactionId: '', kind: '', requester: 'not authenticated' };
    expect(ports.refusals).toMatchObject([unread, { ...unread, problem: expect.stringContaining('(byte 0)') }]);
  });

  it('records why a message could not be read from the HTTP request', async () => {
    const problem = 'The query parameter message is not Base64.';
    const asked = { operation: 'PKIOperation', message: new Uint8Array(), problem };
    await expect(ask(asked)).rejects.toThrow(problem);
    expect(ports.refusals).toMatchObject([{ kind: '', problem: expect.stringContaining(problem) }]);
  });

  it('rethrows internal errors instead of treating them as rejections', async () => {
    const fault = new Error('the token is gone');
    const ca = { ...serviceOf(own), decrypt: async () => Promise.reject(fault) };
    await expect(operate({}, { ca })).rejects.toBe(fault);
    expect(ports.refusals).toEqual([]);
  });
});
