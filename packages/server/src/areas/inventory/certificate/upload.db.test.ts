import {
  altSignatureAlgorithmExtension,
  altSignatureValueExtension,
  encodeDer,
  OID,
  oidPart,
  parseName,
  primitive,
  sequence,
  setOf,
  signatureAlgorithm,
  subjectAltPublicKeyExtension,
  TAG,
  writePkcs7,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto } from '@signetry/pki/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../certificates/read-certificate.ts';
import { makeCertificate, makeRoot } from '../../certificates/testing/test-certificates.ts';
import { createTestInventory, type TestInventory } from '../testing/test-inventory.ts';

let test: TestInventory;
beforeAll(async () => {
  test = await createTestInventory();
});

const upload = (certificate: string) => test.inventory.upload({ certificate, customAttributes: [] }, test.context);

describe('uploading', () => {
  it('stores a certificate as issued, with its history and an audit record', async () => {
    const leaf = await makeCertificate('plain.test', { dnsNames: ['plain.test', 'www.plain.test'] });
    const uuid = await upload(leaf.pem);
    const detail = await test.inventory.detail(uuid, test.context);
    expect(detail).toMatchObject({
      uuid,
      commonName: 'plain.test',
      subjectDn: 'CN=plain.test, O=Test',
      state: 'issued',
      certificateContent: leaf.base64,
      subjectType: 'selfSignedEndEntity',
      keyUsage: ['digitalSignature'],
      extendedKeyUsage: ['TLS Web Server Authentication'],
      subjectAlternativeNames: { dNSName: ['plain.test', 'www.plain.test'] },
      archived: false,
    });
    expect(detail.owner).toBeUndefined();
    expect(detail.raProfile).toBeUndefined();
    expect(JSON.stringify(detail)).not.toContain('null');
    const history = await test.inventory.history(uuid);
    expect(history.map(({ event, createdBy }) => [event, createdBy])).toContainEqual(['Upload Certificate', 'alice']);
    const records = await test.audited();
    expect(records.findLast(({ operation }) => operation === 'upload')?.resource_objects).toMatchObject([{ uuid }]);
  });

  it('rejects a certificate that is already known, and changes nothing', async () => {
    const leaf = await makeCertificate('twice.test');
    await upload(leaf.base64);
    const records = await test.audited();
    await expect(upload(leaf.pem)).rejects.toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining('already exists'),
    });
    expect(await test.audited()).toEqual(records);
  });

  it('accepts only one of two simultaneous uploads', async () => {
    const leaf = await makeCertificate('race.test');
    const results = await Promise.allSettled([upload(leaf.base64), upload(leaf.base64)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const loser = results.find((result) => result.status === 'rejected');
    expect(loser?.reason).toMatchObject({ code: 'already_exists' });
  });

  it('returns the end-entity certificate of a chain, and imports and links its issuers', async () => {
    const root = await makeRoot('Bundle Root');
    const between = await makeRoot('Bundle Between', { issuer: root });
    const leaf = await makeCertificate('bundle.test', { issuer: between });
    const uuid = await upload(Buffer.from(writePkcs7([root.der, leaf.der, between.der])).toString('base64'));
    const chain = await test.inventory.chain(uuid, { withEndCertificate: true, context: test.context });
    expect(chain.completeChain).toBe(true);
    expect(chain.certificates.map(({ commonName }) => commonName)).toEqual([
      'bundle.test',
      'Bundle Between',
      'Bundle Root',
    ]);
    const [end, issuer, anchor] = chain.certificates;
    expect(end).toMatchObject({ issuerCertificateUuid: issuer?.uuid, issuerSerialNumber: issuer?.serialNumber });
    expect(issuer).toMatchObject({ issuerCertificateUuid: anchor?.uuid, trustedCa: false });
    expect(anchor?.issuerCertificateUuid).toBeUndefined();
  });

  it('finds known issuers, and does not change the known certificates in a chain', async () => {
    const root = await makeRoot('Known Root');
    const rootUuid = await upload(root.pem);
    const leaf = await makeCertificate('below-known.test', { issuer: root });
    const uuid = await upload(leaf.pem + root.pem);
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({ issuerCertificateUuid: rootUuid });
    expect((await test.inventory.history(rootUuid)).filter(({ event }) => event === 'Upload Certificate')).toHaveLength(
      1,
    );
  });

  it('links a certificate to its issuer at validation if the issuer is added later', async () => {
    const root = await makeRoot('Late Root');
    const uuid = await upload((await makeCertificate('early.test', { issuer: root })).base64);
    expect((await test.inventory.detail(uuid, test.context)).issuerCertificateUuid).toBeUndefined();
    const rootUuid = await upload(root.base64);
    await test.inventory.validate(uuid, test.context);
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({ issuerCertificateUuid: rootUuid });
  });

  it("does not link certificates by name alone: the issuer's key must verify the signature", async () => {
    const root = await makeRoot('Same Name Root');
    const other = await makeRoot('Same Name Root');
    await upload(other.base64);
    const uuid = await upload((await makeCertificate('same-name.test', { issuer: root })).base64);
    expect((await test.inventory.detail(uuid, test.context)).issuerCertificateUuid).toBeUndefined();
    const rootUuid = await upload(root.base64);
    await test.inventory.validate(uuid, test.context);
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({ issuerCertificateUuid: rootUuid });
  });

  it('keeps both certificates if their issuer used a serial number twice', async () => {
    const root = await makeRoot('Repeating Root');
    const rootUuid = await upload(root.base64);
    const both = [
      await makeCertificate('first.test', { issuer: root, serialNumber: '0102' }),
      await makeCertificate('second.test', { issuer: root, serialNumber: '0102' }),
    ];
    for (const { base64, der } of both) {
      const uuid = await upload(base64);
      expect(await test.inventory.detail(uuid, test.context)).toMatchObject({
        serialNumber: '102',
        issuerCertificateUuid: rootUuid,
        fingerprint: sha256Hex(der),
      });
      await expect(upload(base64)).rejects.toMatchObject({ code: 'already_exists' });
    }
  });

  it('keeps both certificates even if their issuer is uploaded later', async () => {
    const root = await makeRoot('Late Repeating Root');
    const uuids = [];
    for (const name of ['one.test', 'two.test'])
      uuids.push(await upload((await makeCertificate(name, { issuer: root, serialNumber: '0103' })).base64));
    const rootUuid = await upload(root.base64);
    for (const uuid of uuids) {
      await test.inventory.validate(uuid, test.context);
      expect(await test.inventory.detail(uuid, test.context)).toMatchObject({ issuerCertificateUuid: rootUuid });
    }
    await test.inventory.update(rootUuid, { trustedCa: true }, test.context);
    expect(await test.validation.revalidateBelow(rootUuid)).toBe(2);
  });

  it('shows names with NUL or invalid UTF-8 as text that differs from any well-formed name', async () => {
    const names = [Uint8Array.of(0x61, 0, 0x62), Uint8Array.of(0xff, 0x62)].map((octets) =>
      parseName(encodeDer(sequence([setOf([sequence([oidPart(OID.commonName), primitive(TAG.utf8String, octets)])])]))),
    );
    const shown = [];
    for (const name of names) {
      const uuid = await upload((await makeCertificate('named.test', { name })).base64);
      const { commonName, subjectDn } = await test.inventory.detail(uuid, test.context);
      const { subject } = await test.inventory.parsed(uuid);
      shown.push([commonName, subjectDn, subject]);
    }
    expect(shown).toEqual([
      ['a\ufffdb', 'CN=a\ufffdb', { text: 'CN=a\ufffdb', rfc4514: 'CN=a\ufffdb' }],
      ['ÿb', 'CN=ÿb', { text: 'CN=ÿb', rfc4514: 'CN=ÿb' }],
    ]);
  });

  it('recognizes hybrid certificates, which can be found by their alternative key and signature', async () => {
    const alternative = await generateKeyPair('ML-DSA-65');
    const { der: algorithm } = signatureAlgorithm('ML-DSA-44');
    const uuid = await upload(
      (
        await makeCertificate('hybrid.test', {
          extensions: [
            subjectAltPublicKeyExtension(alternative.spki),
            altSignatureAlgorithmExtension(algorithm),
            altSignatureValueExtension(Uint8Array.of(1, 2, 3)),
          ],
        })
      ).base64,
    );
    expect(await test.inventory.detail(uuid, test.context)).toMatchObject({
      hybridCertificate: true,
      altPublicKeyAlgorithm: 'ML-DSA',
      altKeySize: 65,
      altSignatureAlgorithm: 'ML-DSA-44',
    });
    for (const [fieldIdentifier, value] of [
      ['HYBRID_CERTIFICATE', true],
      ['ALT_PUBLIC_KEY_ALGORITHM', 'ML-DSA'],
      ['ALT_SIGNATURE_ALGORITHM', 'ML-DSA-44'],
      ['ALT_KEY_SIZE', 65],
    ] as const) {
      const filters = [{ fieldSource: 'property', fieldIdentifier, condition: 'EQUALS', value } as const];
      const { certificates } = await test.inventory.list({ itemsPerPage: 10, pageNumber: 1, filters }, test.context);
      expect([fieldIdentifier, certificates.map(({ commonName }) => commonName)]).toEqual([
        fieldIdentifier,
        ['hybrid.test'],
      ]);
    }
    const fields = await test.inventory.searchFields(test.context);
    const offered = fields.flatMap(({ searchFieldData }) => searchFieldData ?? []);
    expect(offered.find(({ fieldIdentifier }) => fieldIdentifier === 'ALT_SIGNATURE_ALGORITHM')?.value).toEqual([
      'ML-DSA-44',
    ]);
  });

  it('accepts a certificate with an unreadable extension, and shows the other extensions', async () => {
    const broken = { oid: OID.nameConstraints, critical: false, value: Uint8Array.of(0x30, 0x7f) };
    const leaf = await makeCertificate('broken-extension.test', { dnsNames: ['shown.test'], extensions: [broken] });
    const parsed = await test.inventory.parsed(await upload(leaf.base64));
    expect(parsed).toMatchObject({
      version: 3,
      subject: { text: 'CN=broken-extension.test, O=Test', rfc4514: 'CN=broken-extension.test,O=Test' },
      publicKey: { algorithm: 'ECDSA', size: 256, curve: 'P-256', fingerprint: sha256Hex(leaf.keys.spki) },
      fingerprints: { sha256: sha256Hex(leaf.der), sha1: nodeCrypto.digest('sha1', leaf.der).toHex() },
    });
    const extensions = new Map(parsed.extensions.map((extension) => [extension.name, extension]));
    expect(extensions.get('Subject alternative names')?.values).toEqual([{ label: 'DNS name', text: 'shown.test' }]);
    expect(extensions.get('Name constraints')).toMatchObject({
      values: [],
      hex: '307f',
      problem: { message: 'The length exceeds the enclosing element (byte 0)', offset: 0 },
    });
  });

  it('rejects custom attributes if none are defined', async () => {
    const leaf = await makeCertificate('custom.test');
    const attribute = { name: 'department', content: [{ data: 'IT' }] };
    await expect(
      // Only the members that are read.
      test.inventory.upload({ certificate: leaf.base64, customAttributes: [attribute as never] }, test.context),
    ).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });
});

describe("importing in a caller's transaction", () => {
  it('leaves nothing behind if the transaction fails', async () => {
    const leaf = await makeCertificate('rolled-back.test');
    const attempt = test.platform.database.transaction(async (tx) => {
      const certificate = await test.inventory.userCertificates.upload(tx, { der: leaf.der, context: test.context });
      expect(await test.inventory.userCertificates.findByUuid(tx, certificate.uuid)).toMatchObject({ state: 'issued' });
      throw new Error('something else failed');
    });
    await expect(attempt).rejects.toThrow('something else failed');
    const { totalItems } = await test.inventory.list(
      {
        itemsPerPage: 10,
        pageNumber: 1,
        filters: [
          { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'EQUALS', value: 'rolled-back.test' },
        ],
      },
      test.context,
    );
    expect(totalItems).toBe(0);
  });

  it('returns the properties that sign-in depends on', async () => {
    const leaf = await makeCertificate('user.test');
    const certificate = await test.platform.database.transaction((tx) =>
      test.inventory.userCertificates.upload(tx, { der: leaf.der, context: test.context }),
    );
    expect(certificate).toMatchObject({
      state: 'issued',
      archived: false,
      revoked: false,
      subjectDn: 'CN=user.test, O=Test',
    });
    const { executor } = test.platform.database;
    expect(await test.inventory.userCertificates.findByFingerprint(executor, certificate.fingerprint)).toEqual(
      certificate,
    );
  });

  it('trusts and validates the chain of a built-in authority immediately', async () => {
    const root = await makeRoot('Built-in Root');
    const between = await makeRoot('Built-in Between', { issuer: root });
    test.connectorUrl = 'builtin:software-authority';
    const chain = { authorityUuid: 'a', connectorUuid: 'c', chainDer: [between.der, root.der] };
    const uuids = await test.inventory.caCertificates.learn(chain, test.context);
    const details = await test.inventory.describe(uuids, test.context);
    expect(
      details.map(({ commonName, trustedCa, validationStatus }) => [commonName, trustedCa, validationStatus]),
    ).toEqual([
      ['Built-in Between', true, 'valid'],
      ['Built-in Root', true, 'valid'],
    ]);
    expect(await test.inventory.caCertificates.learn(chain, test.context)).toEqual(uuids);
  });

  it('does not trust the chain of a different connector, or a chain that a user has distrusted', async () => {
    const foreign = await makeRoot('Foreign Root');
    test.connectorUrl = 'https://connector.test';
    const [uuid = ''] = await test.inventory.caCertificates.learn(
      { authorityUuid: 'a', connectorUuid: 'c', chainDer: [foreign.der] },
      test.context,
    );
    expect((await test.inventory.detail(uuid, test.context)).trustedCa).toBe(false);

    test.connectorUrl = 'builtin:software-authority';
    await test.inventory.caCertificates.learn(
      { authorityUuid: 'a', connectorUuid: 'c', chainDer: [foreign.der] },
      test.context,
    );
    expect((await test.inventory.detail(uuid, test.context)).trustedCa).toBe(true);
    await test.inventory.update(uuid, { trustedCa: false }, test.context);
    await test.inventory.caCertificates.learn(
      { authorityUuid: 'a', connectorUuid: 'c', chainDer: [foreign.der] },
      test.context,
    );
    expect((await test.inventory.detail(uuid, test.context)).trustedCa).toBe(false);
  });
});

describe('certificate files', () => {
  it('contain the certificate in the requested format', async () => {
    const leaf = await makeCertificate('download.test', { keys: await generateKeyPair('RSA-2048') });
    const uuid = await upload(leaf.base64);
    const content = async (format: 'raw' | 'pkcs7', encoding: 'pem' | 'der') =>
      Buffer.from((await test.inventory.download(uuid, { format, encoding })).content, 'base64');
    expect((await content('raw', 'der')).equals(leaf.der)).toBe(true);
    expect((await content('raw', 'pem')).toString()).toBe(leaf.pem);
    expect((await content('pkcs7', 'der')).equals(writePkcs7([leaf.der]))).toBe(true);
    expect((await content('pkcs7', 'pem')).toString()).toMatch(/^-----BEGIN PKCS7-----/);
  });

  it('contain chains that start with the certificate or with its issuer', async () => {
    const root = await makeRoot('File Root');
    const leaf = await makeCertificate('file.test', { issuer: root });
    const uuid = await upload(leaf.pem + root.pem);
    const form = { format: 'raw', encoding: 'pem' } as const;
    const whole = await test.inventory.downloadChain(uuid, { ...form, withEndCertificate: true });
    expect(whole).toMatchObject({ ...form, completeChain: true });
    expect(Buffer.from(whole.content, 'base64').toString()).toBe(leaf.pem + root.pem);
    const above = await test.inventory.downloadChain(uuid, { ...form, withEndCertificate: false });
    expect(Buffer.from(above.content, 'base64').toString()).toBe(root.pem);
    await expect(
      test.inventory.downloadChain(uuid, { format: 'raw', encoding: 'der', withEndCertificate: true }),
    ).rejects.toMatchObject({ code: 'rejected_by_rules' });
  });

  it('indicate whether a chain is incomplete', async () => {
    const root = await makeRoot('Absent Root');
    const uuid = await upload((await makeCertificate('orphan.test', { issuer: root })).base64);
    expect(await test.inventory.chain(uuid, { withEndCertificate: false, context: test.context })).toEqual({
      completeChain: false,
      certificates: [],
    });
  });

  it('contain multiple certificates, and omit unknown ones', async () => {
    const leaf = await makeCertificate('content.test');
    const uuid = await upload(leaf.base64);
    const contents = await test.inventory.contents([uuid, '00000000-0000-7000-8000-00000000ffff']);
    expect(contents).toMatchObject([{ uuid, commonName: 'content.test', certificateContent: leaf.base64 }]);
  });

  it.each(['detail', 'history', 'chain', 'download'] as const)(
    'are not found for an unknown certificate (%s)',
    async (name) => {
      const unknown = '00000000-0000-7000-8000-00000000ffff';
      const calls = {
        detail: () => test.inventory.detail(unknown, test.context),
        history: () => test.inventory.history(unknown),
        chain: () => test.inventory.chain(unknown, { withEndCertificate: true, context: test.context }),
        download: () => test.inventory.download(unknown, { format: 'raw', encoding: 'pem' }),
      };
      await expect(calls[name]()).rejects.toMatchObject({ code: 'object_not_found' });
    },
  );
});
