// Certificates for keys in tokens: requested with a key of the built-in software provider, and linked through the
// public key.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import {
  SIGNATURE_ATTRIBUTES,
  type ClientCertificateSignRequestDto,
  type KeyDetailDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import {
  requestedAlternativeKey,
  parseCertificate,
  parseCertificationRequest,
  signatureAlgorithmName,
  verifyAlternativeRequestSignature,
  verifyCertificationRequest,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { historyOf, issue, issuedOf, rejectionOf, rootOf } from './testing/certificates.ts';
import { userWithRole } from './testing/limited-user.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { createKey, createProfile, createTokenWithProfile, textValue, type TokenPath } from './testing/tokens.ts';

const server = sharedTestServer();
let client: Client;
let token: TokenPath;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  [token, path] = [await createTokenWithProfile(client), await defaultProfile(client)];
});

const multiValue = (name: string, texts: readonly string[]): RequestAttributeDto => ({
  uuid: randomUUID(),
  name,
  contentType: 'string',
  content: texts.map((data) => ({ data })),
});
const csrAttributesFor = (commonName: string) => [
  textValue('commonName', commonName),
  multiValue('dnsNames', [commonName]),
];
const bodyFor = (key: KeyDetailDto, more: Partial<ClientCertificateSignRequestDto> = {}) => ({
  attributes: [],
  keyUuid: key.uuid,
  tokenProfileUuid: token.tokenProfileUuid,
  csrAttributes: csrAttributesFor('key.example'),
  ...more,
});
const issueFor = (key: KeyDetailDto, more: Partial<ClientCertificateSignRequestDto> = {}, as = client) =>
  as.clientOperations.issueCertificate({ params: path, body: bodyFor(key, more) });
const readCertificate = (uuid: string) => client.certificates.getCertificate({ params: { uuid } });
const requestOf = async (uuid: string) =>
  parseCertificationRequest(Buffer.from((await readCertificate(uuid)).certificateRequest?.content ?? '', 'base64'));
const countAll = async () =>
  (await client.certificates.listCertificates({ body: { includeArchived: true } })).totalItems;
const byPrivateKey = async (condition: 'EQUALS' | 'NOT_EQUALS', value: boolean) => {
  const filter = { fieldSource: 'property', fieldIdentifier: 'PRIVATE_KEY', condition, value } as const;
  const { certificates, totalItems } = await client.certificates.listCertificates({
    body: { filters: [filter], itemsPerPage: 1000 },
  });
  expect(totalItems).toBe(certificates.length);
  return certificates.map(({ uuid }) => uuid);
};

describe('a certificate for a key in a token', () => {
  it('contains the names from the form and the public key', async () => {
    const key = await createKey(client, token, { specification: 'P-256' });
    const answer = await issueFor(key, {
      csrAttributes: [
        textValue('commonName', 'names.example'),
        textValue('organization', 'Example, Inc.'),
        textValue('country', 'DE'),
        multiValue('dnsNames', ['names.example', 'www.names.example']),
        multiValue('ipAddresses', ['192.0.2.1', '2001:db8::1']),
        multiValue('emailAddresses', ['admin@names.example']),
        multiValue('uris', ['https://names.example/']),
      ],
    });
    const { uuid, x509 } = issuedOf(answer);
    expect(x509.verify((await rootOf(server.ready)).publicKey)).toBe(true);
    const spki = key.items.find(({ type }) => type === 'Public')?.keyData;
    expect(x509.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')).toBe(spki);
    const { subjectDn, subjectAlternativeNames, privateKeyAvailability, key: linked } = await readCertificate(uuid);
    expect({ subjectDn, privateKeyAvailability, key: linked?.uuid }).toEqual({
      subjectDn: 'CN=names.example, O=Example, Inc., C=DE',
      privateKeyAvailability: true,
      key: key.uuid,
    });
    expect(subjectAlternativeNames).toMatchObject({
      dNSName: ['names.example', 'www.names.example'],
      iPAddress: ['192.0.2.1', '2001:db8::1'],
      rfc822Name: ['admin@names.example'],
      uniformResourceIdentifier: ['https://names.example/'],
    });
    const { associations } = await client.keys.getKey({ params: { uuid: key.uuid } });
    expect(associations).toEqual([{ uuid, name: 'names.example', resource: 'certificates' }]);
  });

  it.each([
    [
      'RSA-2048',
      [
        ['scheme', 'PSS'],
        ['digest', 'SHA-384'],
      ],
      'SHA384withRSAandMGF1',
    ],
    ['RSA-2048', [], 'SHA256withRSA'],
    ['ML-DSA-44', [], 'ML-DSA-44'],
  ] as const)(
    'is requested with %s, as specified by the signature attributes: %j',
    async (specification, values, algorithm) => {
      const key = await createKey(client, token, { specification });
      const signatureAttributes = values.map(([name, value]) => textValue(SIGNATURE_ATTRIBUTES[name].name, value));
      const { uuid, certificateData } = await issueFor(key, { signatureAttributes });
      const request = await requestOf(uuid);
      expect(signatureAlgorithmName(request.signatureAlgorithm)).toBe(algorithm);
      expect(parseCertificate(Buffer.from(certificateData ?? '', 'base64')).spki).toEqual(request.publicKey.spki);
    },
  );

  it('is requested with two keys, both of which sign, for a hybrid certificate', async () => {
    const [key, alternative] = [
      await createKey(client, token, { specification: 'P-256' }),
      await createKey(client, token, { specification: 'ML-DSA-44' }),
    ];
    const issueHybrid = (altKeyUuid: string) =>
      issueFor(key, { altKeyUuid, altTokenProfileUuid: token.tokenProfileUuid });
    const { uuid } = issuedOf(await issueHybrid(alternative.uuid));
    const request = await requestOf(uuid);
    const spki = alternative.items.find(({ type }) => type === 'Public')?.keyData ?? '';
    expect(requestedAlternativeKey(request)?.spki.toBase64()).toBe(spki);
    expect(verifyAlternativeRequestSignature(request, nodeCrypto.verify)).toBe(true);
    expect(verifyCertificationRequest(request, nodeCrypto.verify)).toBe(true);
    expect(await rejectionOf(issueHybrid(key.uuid))).toMatchObject({ status: 422 });
  });

  it('can be issued later if its request is submitted first', async () => {
    const key = await createKey(client, token, { specification: 'P-256' });
    const { attributes: issueAttributes, ...rest } = bodyFor(key);
    const { uuid, state } = await client.certificates.submitCertificateRequest({
      body: { ...rest, issueAttributes, raProfileUuid: path.raProfileUuid },
    });
    expect(state).toBe('requested');
    const params = { ...path, certificateUuid: uuid };
    issuedOf(await client.clientOperations.issueRequestedCertificate({ params }));
    expect(await readCertificate(uuid)).toMatchObject({ state: 'issued', privateKeyAvailability: true });
  });
});

describe('nothing is stored for an invalid request', () => {
  const expectRejected = async (call: Promise<unknown>, before: number) => {
    const refusal = await rejectionOf(call);
    expect(await countAll()).toBe(before);
    return refusal;
  };

  it('with a key under a different token profile, with a disabled key, or without a key', async () => {
    const [key, disabled] = [
      await createKey(client, token, { specification: 'P-256' }),
      await createKey(client, token, { specification: 'P-256', enabled: false }),
    ];
    const other = await createProfile(client, token.tokenInstanceUuid);
    const before = await countAll();
    expect(await expectRejected(issueFor(key, { tokenProfileUuid: other }), before)).toMatchObject({
      status: 422,
      message: expect.stringContaining('does not belong to this token profile'),
    });
    expect(await expectRejected(issueFor(disabled), before)).toMatchObject({
      status: 422,
      message: expect.stringContaining('is disabled'),
    });
    expect(await expectRejected(issueFor(key, { tokenProfileUuid: undefined }), before)).toMatchObject({ status: 422 });
    expect(await expectRejected(issueFor(key, { keyUuid: randomUUID() }), before)).toMatchObject({ status: 404 });
    expect(await expectRejected(issueFor(key, { keyUuid: undefined }), before)).toMatchObject({
      status: 400,
      message: expect.stringContaining('request: required unless a key in a token is specified'),
    });
  });

  it('with a key that does not permit signing, is in a disabled profile, or is in a deactivated token', async () => {
    const own = await createTokenWithProfile(client);
    const key = await createKey(client, own, { specification: 'P-256' });
    const before = await countAll();
    const rejectedIssue = async () => expectRejected(issueFor(key, { tokenProfileUuid: own.tokenProfileUuid }), before);
    await client.keys.updateKeyUsages({ params: { uuid: key.uuid }, body: { usage: ['verify'] } });
    expect(await rejectedIssue()).toMatchObject({
      status: 422,
      message: expect.stringContaining('is not permitted to sign'),
    });
    await client.keys.updateKeyUsages({ params: { uuid: key.uuid }, body: { usage: ['sign', 'verify'] } });
    await client.tokenProfiles.disableTokenProfiles({ body: [own.tokenProfileUuid] });
    expect(await rejectedIssue()).toMatchObject({ status: 422, message: expect.stringContaining('is disabled') });
    await client.tokenProfiles.enableTokenProfiles({ body: [own.tokenProfileUuid] });
    await client.tokens.deactivateTokenInstance({ params: { uuid: own.tokenInstanceUuid } });
    expect(await rejectedIssue()).toMatchObject({ status: 422, message: expect.stringMatching(/activate/i) });
  });

  it('with invalid names or signature attributes', async () => {
    const key = await createKey(client, token, { specification: 'P-256' });
    const before = await countAll();
    const rejectionMessage = async (more: Partial<ClientCertificateSignRequestDto>) =>
      (await expectRejected(issueFor(key, more), before)).message;
    expect(await rejectionMessage({ csrAttributes: [] })).toContain('Common Name');
    expect(
      await rejectionMessage({ csrAttributes: [...csrAttributesFor('x'), multiValue('ipAddresses', ['300.1.1.1'])] }),
    ).toContain('"300.1.1.1" is not an IP address');
    const digest = [textValue(SIGNATURE_ATTRIBUTES.digest.name, 'MD5')];
    expect(await rejectionMessage({ signatureAttributes: digest })).toContain('Digest');
  });

  it('from users who cannot sign with the key or cannot see its token profile', async () => {
    const key = await createKey(client, token, { specification: 'P-256' });
    const may = (
      name: 'certificates' | 'raProfiles' | 'authorities' | 'keys' | 'tokenProfiles',
      ...actions: string[]
    ) => ({ name, allowAllActions: false, actions }) as never; // These are actions of the resource.
    const issuing = [
      may('certificates', 'issue'),
      may('raProfiles', 'detail', 'members'),
      may('authorities', 'detail'),
    ];
    const [none, blind, able] = [
      await userWithRole(server, issuing),
      await userWithRole(server, [...issuing, may('keys', 'sign')]),
      await userWithRole(server, [...issuing, may('keys', 'sign'), may('tokenProfiles', 'detail')]),
    ];
    expect(await rejectionOf(issueFor(key, {}, none.client))).toMatchObject({ status: 403 });
    expect(await rejectionOf(issueFor(key, {}, blind.client))).toMatchObject({ status: 403 });
    issuedOf(await issueFor(key, {}, able.client));
  });
});

describe('a rekey', () => {
  it('switches to a different key in a token, and keeps the names', async () => {
    const [old, fresh] = [
      await createKey(client, token, { specification: 'P-256' }),
      await createKey(client, token, { specification: 'P-384' }),
    ];
    const { uuid } = await issueFor(old, { csrAttributes: csrAttributesFor('rekeyed.example') });
    const params = { ...path, certificateUuid: uuid };
    const rekey = (keyUuid: string | undefined) =>
      client.clientOperations.rekeyCertificate({ params, body: keyUuid === undefined ? {} : { keyUuid } });
    expect(await rejectionOf(rekey(old.uuid))).toMatchObject({
      status: 422,
      message: expect.stringContaining('renew'),
    });
    expect(await rejectionOf(rekey(undefined))).toMatchObject({
      status: 422,
      message: expect.stringContaining('keyUuid'),
    });
    const { uuid: successor, x509 } = issuedOf(await rekey(fresh.uuid));
    expect(x509.subject).toBe('CN=rekeyed.example');
    expect(x509.subjectAltName).toBe('DNS:rekeyed.example');
    expect((await readCertificate(successor)).key?.uuid).toBe(fresh.uuid);
    const renewed = issuedOf(await client.clientOperations.renewCertificate({ params, body: {} }));
    expect((await readCertificate(renewed.uuid)).key?.uuid).toBe(old.uuid);
  });
});

describe("a certificate's private key", () => {
  it('is shown as available while its key is active, and can be used as a list filter', async () => {
    const key = await createKey(client, token, { specification: 'P-256' });
    const { uuid } = await issueFor(key);
    const foreign = await issue(client, path, await makeRequest({ subject: 'CN=foreign.example' }));
    const [having, lacking] = [await byPrivateKey('EQUALS', true), await byPrivateKey('NOT_EQUALS', true)];
    expect([having.includes(uuid), lacking.includes(uuid)]).toEqual([true, false]);
    expect([having.includes(foreign.uuid), lacking.includes(foreign.uuid)]).toEqual([false, true]);
    expect((await byPrivateKey('EQUALS', false)).toSorted()).toEqual(lacking.toSorted());
    expect(await readCertificate(foreign.uuid)).toMatchObject({ privateKeyAvailability: false });
    await client.keys.compromiseKey({ params: { uuid: key.uuid }, body: { reason: 'disclosure' } });
    expect(await byPrivateKey('EQUALS', true)).not.toContain(uuid);
    expect(await readCertificate(uuid)).toMatchObject({ privateKeyAvailability: false, key: { uuid: key.uuid } });
  });

  it('is destroyed when the certificate is revoked, if requested', async () => {
    const key = await createKey(client, token, { specification: 'P-256' });
    const { uuid } = await issueFor(key);
    const params = { ...path, certificateUuid: uuid };
    await client.clientOperations.revokeCertificate({ params, body: { attributes: [], destroyKey: true } });
    await expect
      .poll(async () => (await client.keys.getKey({ params: { uuid: key.uuid } })).items.map(({ state }) => state))
      .toEqual(['destroyed', 'destroyed']);
    expect(await readCertificate(uuid)).toMatchObject({ state: 'revoked', privateKeyAvailability: false });
    await expect
      .poll(() => historyOf(client, uuid))
      .toContainEqual(`Revoke Certificate SUCCESS: The key ${key.name} was destroyed`);
  });

  it('is destroyed only for users with permission to do so', async () => {
    const key = await createKey(client, token, { specification: 'P-256' });
    const { uuid } = await issueFor(key);
    const { client: revoker } = await userWithRole(server, [
      { name: 'certificates', allowAllActions: false, actions: ['revoke'] },
      { name: 'raProfiles', allowAllActions: false, actions: ['detail', 'members'] },
      { name: 'authorities', allowAllActions: false, actions: ['detail'] },
    ]);
    const revoke = (destroyKey: boolean) =>
      revoker.clientOperations.revokeCertificate({
        params: { ...path, certificateUuid: uuid },
        body: { attributes: [], destroyKey },
      });
    expect(await rejectionOf(revoke(true))).toMatchObject({ status: 403 });
    expect(await readCertificate(uuid)).toMatchObject({ state: 'issued' });
    await revoke(false);
    expect(await readCertificate(uuid)).toMatchObject({ state: 'revoked', privateKeyAvailability: true });
  });
});
