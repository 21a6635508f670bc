// Server-side key generation (RFC 7030 §4.4).
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import {
  OID,
  parsePublicKey,
  readCertificationRequest,
  readPkcs7,
  subjectKeyIdentifierExtension,
  writePem,
} from '@signetry/pki';
import { generateKeyPair, importPrivateKey, KEY_SPECS, type KeySpec } from '@signetry/pki/node';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeRoot } from '../../areas/certificates/testing/test-certificates.ts';
import { coreContext } from '../../kernel/actor.ts';
import type { EstCall, EstReply } from './operations.ts';
import { serverKeygen } from './server-keys.ts';
import { createTestEst, type TestEst } from './testing/est-parts.ts';
import { DEVICE_PASSWORD, requestFor, servedProfile } from './testing/est-requests.ts';

const issued = (await makeRoot('issued')).der;
const AUTHORIZATION = `Basic ${Buffer.from(`device:${DEVICE_PASSWORD}`).toString('base64')}`;

let est: TestEst;
beforeEach(() => {
  est = createTestEst();
  est.outcome = { state: 'issued', certificate: issued };
});

const ask = (body: Uint8Array, facts: Partial<EstCall> = {}): Promise<EstReply> =>
  serverKeygen(est.parts, {
    profile: servedProfile({ serverKeys: true }),
    body,
    credentials: { certificate: () => undefined, authorization: AUTHORIZATION },
    binding: () => undefined,
    context: coreContext('test'),
    ...facts,
  });

/** Returns the contents of the parts of a response, by media type. */
function partsOf({ media = '', body = '' }: EstReply): Record<string, Buffer> {
  const [, boundary = ''] = /^multipart\/mixed; boundary=(\S+)$/.exec(media) ?? expect.fail(media);
  const [before, ...parts] = body.split(`--${boundary}`);
  expect([before, parts.pop()]).toEqual(['', '--\r\n']);
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', content = ''] = part.split('\r\n\r\n');
      const [, type = ''] = /^\r\nContent-Type: (.+)\r\nContent-Transfer-Encoding: base64$/.exec(head) ?? [];
      return [type, Buffer.from(content, 'base64')];
    }),
  );
}

const startedRequest = () => {
  const [enrollment] = est.begun;
  return readCertificationRequest(
    writePem('CERTIFICATE REQUEST', enrollment?.request.der ?? expect.fail('no transaction was started')),
  );
};

describe('a key generated for a client', () => {
  it('is returned in PKCS #8 before its certificate', async () => {
    const answer = await ask(await requestFor('CN=printer-1'));
    expect(answer).toMatchObject({ status: 200, isEncoded: false });
    const parts = partsOf(answer);
    expect(Object.keys(parts)).toEqual(['application/pkcs8', 'application/pkcs7-mime; smime-type=certs-only']);
    const key = createPublicKey(await importPrivateKey(parts['application/pkcs8'] ?? Buffer.alloc(0)));
    expect(key.export({ type: 'spki', format: 'der' }).equals(Buffer.from(startedRequest().publicKey.spki))).toBe(true);
    const [certificate = Buffer.alloc(0), ...more] = readPkcs7(
      parts['application/pkcs7-mime; smime-type=certs-only'] ?? Buffer.alloc(0),
    );
    expect([Buffer.from(certificate).equals(issued), more]).toEqual([true, []]);
  });

  it('is different each time, even for the same request', async () => {
    const body = await requestFor('CN=printer-1');
    const [one, other] = [partsOf(await ask(body)), partsOf(await ask(body))];
    expect(one['application/pkcs8']).not.toEqual(other['application/pkcs8']);
    expect(new Set(est.begun.map(({ transactionId }) => transactionId)).size).toBe(2);
  });

  it.each(KEY_SPECS.filter((spec) => !['RSA-3072', 'RSA-4096'].includes(spec)))(
    'has the type %s like the key in the request, but is a different key',
    async (spec: KeySpec) => {
      const keys = await generateKeyPair(spec);
      await ask(await requestFor('CN=printer-1', { keys }));
      const [asked, made] = [parsePublicKey(keys.spki), startedRequest().publicKey];
      expect([made.name, made.bits, made.curve]).toEqual([asked.name, asked.bits, asked.curve]);
      expect(Buffer.from(made.spki).equals(keys.spki)).toBe(false);
    },
  );

  it('is certified with the names in the request, but not with its key identifiers', async () => {
    const extensions = [subjectKeyIdentifierExtension(new Uint8Array(20).fill(7))];
    const body = await requestFor('CN=printer-1,O=Test', { dnsNames: ['printer.example'], extensions });
    await ask(body);
    expect(est.begun).toMatchObject([
      {
        kind: 'serverkeygen',
        requester: 'device',
        request: {
          subject_dn: 'CN=printer-1, O=Test',
          subject_alternative_names: { dNSName: ['printer.example'] },
        },
      },
    ]);
    expect(startedRequest().extensions.map(({ oid }) => oid)).toEqual([OID.subjectAltName]);
  });
});

describe('no key is generated or returned', () => {
  const rejectionWith = (status: number, message: string) => ({ status, message: expect.stringContaining(message) });

  it('if the profile does not permit it, regardless of the credentials', async () => {
    const profile = servedProfile({ serverKeys: false });
    const credentials = { certificate: () => undefined, authorization: undefined };
    await expect(ask(new Uint8Array(), { profile, credentials })).rejects.toMatchObject(
      rejectionWith(
        501,
        'The EST profile devices does not generate keys. Use simpleenroll with a key generated on the client.',
      ),
    );
  });

  it('without credentials or with an incorrect password', async () => {
    const body = await requestFor('CN=printer-1');
    const certificate = () => undefined;
    const requestKey = (authorization?: string) => ask(body, { credentials: { certificate, authorization } });
    await expect(requestKey()).rejects.toMatchObject(
      rejectionWith(401, 'Authenticate with a TLS client certificate or a username and password.'),
    );
    const guessed = `Basic ${Buffer.from('device:guessed').toString('base64')}`;
    await expect(requestKey(guessed)).rejects.toMatchObject(
      rejectionWith(401, 'The username or password is incorrect.'),
    );
  });

  it.each(['1.2.840.113549.1.9.16.2.37', '1.2.840.113549.1.9.16.2.54'])(
    'if the request requires additional encryption (attribute %s)',
    async (type) => {
      const attributes = [{ type, values: [new Uint8Array([0x04, 0x00])] }];
      await expect(ask(await requestFor('CN=printer-1', { attributes }))).rejects.toMatchObject(
        rejectionWith(501, 'The key is protected only by TLS; omit the attribute that requests additional encryption.'),
      );
      expect(est.begun).toEqual([]);
    },
  );

  it('of a type that is not supported', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_560 });
    const keys = { privateKey, spki: publicKey.export({ type: 'spki', format: 'der' }) };
    await expect(ask(await requestFor('CN=printer-1', { keys }))).rejects.toMatchObject(
      rejectionWith(400, `Cannot generate keys of type RSA-2560; use one of ${KEY_SPECS.join(', ')} in the request.`),
    );
    expect(est.begun).toEqual([]);
  });

  it('for a request that is not bound to its connection', async () => {
    const body = await requestFor('CN=printer-1', { challengePassword: 'of another' });
    const profile = servedProfile({ serverKeys: true });
    await expect(ask(body, { profile, binding: () => 'of this one' })).rejects.toMatchObject(
      rejectionWith(400, 'The challengePassword of the request does not match the channel binding of this connection.'),
    );
    expect(est.begun).toEqual([]);
  });

  it.each([
    ['is rejected', { state: 'refused', problem: 'Not for this name.' }, 400, 'Not for this name.'],
    ['is rejected without a reason', { state: 'refused' }, 400, 'The request was rejected.'],
    [
      'has to wait for approval',
      { state: 'waiting' },
      503,
      'The certificate cannot be issued immediately, and its key is not stored.',
    ],
  ] as const)('if the certificate %s', async (_what, outcome, status, words) => {
    est.outcome = outcome;
    await expect(ask(await requestFor('CN=printer-1'))).rejects.toMatchObject(rejectionWith(status, words));
  });
});
