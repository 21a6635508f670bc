import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cryptographyProviderOperations as operations } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { KEY } from '../index.ts';
import {
  createPair,
  createSecret,
  createToken,
  deactivate,
  destroy,
  file,
  importPair,
  rejectionOf,
  secret,
  sign,
  signatureAttributes,
  startTestTokens,
  text,
  verify,
  type TestTokens,
} from '../testing/test-tokens.ts';
import { PAIR_SPECIFICATIONS, secretSpecifications } from './key-specifications.ts';

let ours: TestTokens;
let token = '';
beforeAll(async () => {
  ours = await startTestTokens();
  token = await createToken(ours.call, { allowsImport: true });
});

const listed = (uuid: string) => ours.call(operations.listKeys, { params: { uuid } });

describe('keys', () => {
  it.each(PAIR_SPECIFICATIONS)('of type %s have the specified properties', async (specification) => {
    const { publicKeyData, privateKeyData } = await createPair(ours.call, token, { specification });
    expect(publicKeyData.association).toBe(privateKeyData.association);
    expect(publicKeyData.keyData).toMatchObject({ type: 'Public', format: 'SubjectPublicKeyInfo' });
    expect(privateKeyData.keyData).toMatchObject({
      type: 'Private',
      format: 'Custom',
      algorithm: publicKeyData.keyData.algorithm,
      length: publicKeyData.keyData.length,
      value: { values: { token, key: privateKeyData.uuid } },
    });
    for (const { keyData } of [publicKeyData, privateKeyData])
      expect(keyData.metadata?.map(({ content }) => content?.[0]?.data)[1]).toBe(specification);
    const shown = await ours.call(operations.getKey, { params: { uuid: token, keyUuid: privateKeyData.uuid } });
    expect(shown).toEqual(privateKeyData);
  });

  it('are listed even if the interface has no name for their algorithm', async () => {
    for (const specification of secretSpecifications) await createSecret(ours.call, token, specification);
    const keys = await listed(token);
    expect(keys).toHaveLength(2 * PAIR_SPECIFICATIONS.length + secretSpecifications.length);
    const of = (name: string) => keys.find((key) => key.name === name)?.keyData;
    expect(of('RSA-3072')).toMatchObject({ algorithm: 'RSA', length: 3072 });
    expect(of('P-521')).toMatchObject({ algorithm: 'ECDSA', length: 521 });
    expect(of('Ed25519')).toMatchObject({ algorithm: 'Unknown', length: 256 });
    expect(of('ML-DSA-65')).toMatchObject({ algorithm: 'ML-DSA', length: 65 });
    expect(of('AES-192')).toMatchObject({ algorithm: 'Unknown', type: 'Secret', length: 192 });
    expect(of('HMAC-SHA-384')).toMatchObject({ algorithm: 'Unknown', type: 'Secret', length: 384 });
  });

  it('have an alias that is unique in their token', async () => {
    expect(await rejectionOf(createPair(ours.call, token))).toBe(
      '422: The token already has a key "P-256". Choose a different alias.',
    );
    const twice = await Promise.all(
      [1, 2, 3, 4].map(() => rejectionOf(createPair(ours.call, token, { alias: 'at once' }))),
    );
    expect(twice.filter((answer) => answer === 'not refused')).toHaveLength(1);
    expect(await rejectionOf(createPair(ours.call, token, { alias: 'a\u0000b' }))).toContain('U+0000');
  });

  it('cannot be created in a deactivated or unknown token, but can be destroyed', async () => {
    const other = await createToken(ours.call);
    const { privateKeyData } = await createPair(ours.call, other);
    await deactivate(ours.call, other);
    expect(await rejectionOf(createPair(ours.call, other, { alias: 'x' }))).toContain('422: The token is deactivated');
    expect(await rejectionOf(createSecret(ours.call, other, 'AES-128'))).toContain('422: The token is deactivated');
    await destroy(ours.call, { token: other, key: privateKeyData.uuid });
    expect(await listed(other)).toHaveLength(1);
    const gone = '0193f0a2-7171-7000-8000-000000000001';
    expect(await rejectionOf(createPair(ours.call, gone))).toBe(`404: Token ${gone} does not exist.`);
  });

  it('are created once per idempotency key, regardless of which process handles the repeated call', async () => {
    const facts = { alias: 'once', idempotencyKey: 'pair-once' };
    const first = await createPair(ours.call, token, facts);
    expect(await createPair((await ours.another()).call, token, facts)).toEqual(first);
    expect(await rejectionOf(createPair(ours.call, token, { ...facts, alias: 'other' }))).toContain(
      '422: The idempotency',
    );
  });
});

const pem = (pair: { readonly privateKey: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer } }) =>
  String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));

describe('an import', () => {
  it('accepts PKCS #8 in PEM, encrypted or not, and the key signs', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const encrypted = pair.privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'a password',
    });
    const { publicKeyData, privateKeyData } = await importPair(ours.call, token, [
      text(KEY.alias, 'imported'),
      file(KEY.file, encrypted),
      secret(KEY.filePassword, 'a password'),
    ]);
    expect(publicKeyData.keyData.value).toEqual({
      value: pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    });
    const [attributes, data] = [signatureAttributes({ digest: 'SHA-256' }), Buffer.from('data')];
    const signature = await sign(ours.call, { token, key: privateKeyData.uuid, attributes, data });
    expect(await verify(ours.call, { token, key: publicKeyData.uuid, attributes, data, signature })).toBe(true);
  });

  it('accepts a PKCS #12 file only with its password', async () => {
    const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const args = ['pkcs12', '-export', '-nocerts', '-passout', 'pass:a password'];
    const bytes = execFileSync('openssl', args, { input: pem(keyPair) });
    const values = (password: string) => [
      text(KEY.alias, 'from PKCS#12'),
      file(KEY.file, bytes),
      secret(KEY.filePassword, password),
    ];
    expect(await rejectionOf(importPair(ours.call, token, values('a wrong one')))).toContain('Cannot import the key');
    const { publicKeyData } = await importPair(ours.call, token, values('a password'));
    expect(publicKeyData.keyData).toMatchObject({ algorithm: 'RSA', length: 2048 });
  });

  it.each([
    ['a weak key', () => pem(generateKeyPairSync('rsa', { modulusLength: 1024 })), 'The RSA key has 1024 bits'],
    [
      'a key on an unsupported curve',
      () => pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })),
      'Keys on curve secp256k1 are not allowed',
    ],
    [
      'an RSA key restricted to PSS',
      () =>
        pem(
          generateKeyPairSync('rsa-pss', { modulusLength: 2048, hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha256' }),
        ),
      'RSA keys restricted to PSS are not supported',
    ],
    ['text without a key', () => 'no key', 'The input does not contain a private key.'],
    [
      'a file that is neither PEM nor PKCS #12',
      () => Buffer.from([0x30, 0x03, 0x02, 0x01, 0x00]),
      'Cannot import the key',
    ],
  ])('rejects %s', async (_, make, problem) => {
    const imported = importPair(ours.call, token, [text(KEY.alias, 'refused'), file(KEY.file, make())]);
    expect(await rejectionOf(imported)).toContain(problem);
  });

  it('requires either a file or an algorithm, and rejects files if the token does not allow them', async () => {
    const key = file(KEY.file, pem(generateKeyPairSync('ed25519')));
    const both = [text(KEY.alias, 'x'), key, text(KEY.specification, 'P-256')];
    expect(await rejectionOf(importPair(ours.call, token, both))).toContain('422: Specify either an algorithm');
    expect(await rejectionOf(importPair(ours.call, token, [text(KEY.alias, 'x')]))).toContain('422: Specify either');
    const closed = await createToken(ours.call);
    expect(await rejectionOf(importPair(ours.call, closed, [text(KEY.alias, 'x'), key]))).toContain(
      'Unknown attribute',
    );
  });
});
