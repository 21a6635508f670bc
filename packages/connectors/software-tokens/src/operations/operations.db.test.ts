// Every algorithm against other code: signatures with the verification of @signetry/pki, ciphers with node:crypto.
import { constants, createHmac, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import { cryptographyProviderOperations as operations, OFFERED_DIGESTS } from '@signetry/contract';
import { parsePublicKey, signatureAlgorithm } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { PAIR_SPECIFICATIONS } from '../keys/key-specifications.ts';
import {
  cipherAttributes,
  createPair,
  createSecret,
  createToken,
  deactivate,
  decrypt,
  destroy,
  encrypt,
  rejectionOf,
  sign,
  signatureAttributes,
  startTestTokens,
  verify,
  type TestTokens,
} from '../testing/test-tokens.ts';

interface Pair {
  readonly spki: Uint8Array;
  readonly publicKey: string;
  readonly privateKey: string;
}

let ours: TestTokens;
let token = '';
const pairs = new Map<string, Promise<Pair>>();

beforeAll(async () => {
  ours = await startTestTokens();
  token = await createToken(ours.call);
});

const newPair = async (specification: string): Promise<Pair> => {
  const { publicKeyData, privateKeyData } = await createPair(ours.call, token, { specification });
  const { value } = publicKeyData.keyData;
  const spki = new Uint8Array(Buffer.from('value' in value ? value.value : '', 'base64'));
  return { spki, publicKey: publicKeyData.uuid, privateKey: privateKeyData.uuid };
};

/** Returns the key pair of a specification, shared by the whole file. */
function pairOf(specification: string): Promise<Pair> {
  const known = pairs.get(specification) ?? newPair(specification);
  pairs.set(specification, known);
  return known;
}

/** Returns the `@signetry/pki` algorithm for a digest. */
const named = (digest: string, suffix: string) => signatureAlgorithm(`${digest.replace('SHA-', 'SHA')}with${suffix}`);

interface Way {
  readonly specification: string;
  readonly scheme?: string;
  readonly digest?: string;
}

function algorithmOf({ specification, scheme, digest }: Way) {
  if (digest === undefined) return signatureAlgorithm(specification);
  if (specification.startsWith('P-')) return named(digest, 'ECDSA');
  if (scheme === 'PKCS1-v1_5') return named(digest, 'RSA');
  const pss = named('SHA-256', 'RSAandMGF1');
  const name = digest.toLowerCase().replace('sha-', 'sha') as 'sha256';
  const octets = { 'SHA-224': 28, 'SHA-384': 48, 'SHA3-384': 48, 'SHA-512': 64, 'SHA3-512': 64 }[digest] ?? 32;
  return { ...pss, digest: name, saltLength: octets };
}

const kems = PAIR_SPECIFICATIONS.filter((each) => each.startsWith('ML-KEM'));
/** The small SLH-DSA variants take seconds to sign; one of them is enough. */
const slow = PAIR_SPECIFICATIONS.filter((each) => /^SLH-DSA-.*S$/.test(each) && each !== 'SLH-DSA-SHA2-128S');
const ways: readonly Way[] = PAIR_SPECIFICATIONS.filter((each) => !kems.includes(each) && !slow.includes(each)).flatMap(
  (specification): Way[] => {
    if (specification.startsWith('P-')) return OFFERED_DIGESTS.map((digest) => ({ specification, digest }));
    if (!specification.startsWith('RSA-')) return [{ specification }];
    const digests = specification === 'RSA-2048' ? OFFERED_DIGESTS : (['SHA-256'] as const);
    return ['PKCS1-v1_5', 'PSS'].flatMap((scheme) => digests.map((digest) => ({ specification, scheme, digest })));
  },
);

describe('signatures', () => {
  it.each(ways)('with $specification $scheme $digest verify, and modified ones do not', async (way) => {
    const { spki, privateKey, publicKey } = await pairOf(way.specification);
    const attributes = signatureAttributes(way);
    const runs = way.specification.startsWith('SLH-DSA') ? 1 : 4;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(), async (data, at) => {
        const signature = await sign(ours.call, { token, key: privateKey, attributes, data });
        const signed = { algorithm: algorithmOf(way), data, signature };
        expect(nodeCrypto.verify(spki, signed)).toBe(true);
        const check = { token, key: publicKey, attributes };
        expect(await verify(ours.call, { ...check, data, signature })).toBe(true);
        const changed = Buffer.from(signature);
        changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ 1;
        expect(await verify(ours.call, { ...check, data, signature: changed })).toBe(false);
        expect(await verify(ours.call, { ...check, data: Buffer.concat([data, data, changed]), signature })).toBe(
          false,
        );
        expect(await verify(ours.call, { ...check, data, signature: changed.subarray(1) })).toBe(false);
      }),
      { numRuns: runs },
    );
  });

  it('for long data verify like those for short data', async () => {
    const { spki, privateKey } = await pairOf('P-256');
    const data = randomBytes(3_000_000);
    const attributes = signatureAttributes({ digest: 'SHA-256' });
    const signature = await sign(ours.call, { token, key: privateKey, attributes, data });
    const algorithm = signatureAlgorithm('SHA256withECDSA');
    expect(nodeCrypto.verify(spki, { algorithm, data, signature })).toBe(true);
  });

  it('of multiple items keep their order and identifiers', async () => {
    const { spki, privateKey } = await pairOf('P-384');
    const data = Array.from({ length: 40 }, (_, index) => ({
      data: Buffer.from(`item ${index}`).toString('base64'),
      identifier: String(index),
    }));
    const signatureOf = { uuid: token, keyUuid: privateKey };
    const body = { signatureAttributes: signatureAttributes({ digest: 'SHA-384' }), data };
    const { signatures } = await ours.call(operations.signData, { params: signatureOf, body });
    expect(signatures.map(({ identifier }) => identifier)).toEqual(data.map(({ identifier }) => identifier));
    const algorithm = signatureAlgorithm('SHA384withECDSA');
    for (const [index, { data: made }] of signatures.entries()) {
      const signature = Buffer.from(made, 'base64');
      expect(nodeCrypto.verify(spki, { algorithm, data: Buffer.from(`item ${index}`), signature })).toBe(true);
    }
  });

  it.each(['HMAC-SHA-256', 'HMAC-SHA-384', 'HMAC-SHA-512'])('with %s are MACs of the correct length', async (name) => {
    const key = await createSecret(ours.call, token, name);
    const data = randomBytes(77);
    const signature = await sign(ours.call, { token, key, data });
    expect(signature).toHaveLength(Number(name.slice(-3)) / 8);
    expect(await verify(ours.call, { token, key, data, signature })).toBe(true);
    expect(await verify(ours.call, { token, key, data, signature: signature.subarray(1) })).toBe(false);
    const foreign = createHmac('sha256', 'another key').update(data).digest();
    expect(await verify(ours.call, { token, key, data, signature: foreign })).toBe(false);
  });
});

describe('ciphers', () => {
  const oaep = OFFERED_DIGESTS.flatMap((digest) => [
    { scheme: 'OAEP', digest, mgf: true },
    { scheme: 'OAEP', digest },
  ]);

  it.each([{ scheme: 'PKCS1-v1_5' }, ...oaep])(
    'RSA with $scheme $digest $mgf decrypts its own ciphertexts',
    async (way) => {
      const { publicKey, privateKey } = await pairOf('RSA-2048');
      const attributes = cipherAttributes(way);
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), async (plain) => {
          const sealed = await encrypt(ours.call, { token, key: publicKey, attributes, data: plain });
          const opened = await decrypt(ours.call, { token, key: privateKey, attributes, data: sealed });
          expect(opened).toEqual(Buffer.from(plain));
        }),
        { numRuns: 5 },
      );
    },
  );

  it.each(['SHA-1', 'SHA-512'])('RSA decrypts ciphertexts from OpenSSL with OAEP and %s', async (digest) => {
    const { spki, privateKey: key } = await pairOf('RSA-2048');
    const data = publicEncrypt(
      {
        key: createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }),
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: digest.replace('-', ''),
      },
      Buffer.from('from elsewhere'),
    );
    const attributes = cipherAttributes({ scheme: 'OAEP', digest, mgf: true });
    expect((await decrypt(ours.call, { token, key, attributes, data })).toString()).toBe('from elsewhere');
  });

  it('malformed PKCS #1 v1.5 ciphertexts decrypt to meaningless bytes, which are the same each time', async () => {
    const { privateKey: key } = await pairOf('RSA-2048');
    const attributes = cipherAttributes({ scheme: 'PKCS1-v1_5' });
    const data = Buffer.concat([Uint8Array.of(0), randomBytes(255)]);
    const first = await decrypt(ours.call, { token, key, attributes, data });
    expect(await decrypt(ours.call, { token, key, attributes, data })).toEqual(first);
  });

  it.each(['AES-128', 'AES-192', 'AES-256'])('%s uses a new nonce for every ciphertext', async (name) => {
    const key = await createSecret(ours.call, token, name);
    const data = randomBytes(1000);
    const [one, other] = [
      await encrypt(ours.call, { token, key, data }),
      await encrypt(ours.call, { token, key, data }),
    ];
    expect(one).toHaveLength(12 + 1000 + 16);
    expect(one.subarray(0, 12)).not.toEqual(other.subarray(0, 12));
    expect(await decrypt(ours.call, { token, key, data: one })).toEqual(data);
  });

  const UNIFORM = '422: Cannot decrypt the data with this key and these attributes.';

  it('all ciphertext errors result in the same rejection', async () => {
    const { publicKey, privateKey } = await pairOf('RSA-2048');
    for (const mgf of [true, false]) {
      const attributes = cipherAttributes({ scheme: 'OAEP', digest: 'SHA-256', mgf });
      const sealed = await encrypt(ours.call, { token, key: publicKey, attributes, data: Buffer.from('x') });
      const others = cipherAttributes({ scheme: 'OAEP', digest: 'SHA-384', mgf });
      const attempts = [
        decrypt(ours.call, { token, key: privateKey, attributes: others, data: sealed }),
        decrypt(ours.call, { token, key: privateKey, attributes, data: sealed.subarray(1) }),
        decrypt(ours.call, { token, key: privateKey, attributes, data: Buffer.alloc(256, 0xff) }),
        decrypt(ours.call, { token, key: privateKey, attributes, data: Buffer.alloc(0) }),
      ];
      expect(await Promise.all(attempts.map(rejectionOf))).toEqual(attempts.map(() => UNIFORM));
    }
    const other = await createToken(ours.call);
    const key = await createSecret(ours.call, other, 'AES-256');
    const sealed = await encrypt(ours.call, { token: other, key, data: Buffer.from('x') });
    const changed = Buffer.from(sealed);
    changed[20] = (changed[20] ?? 0) ^ 1;
    for (const data of [changed, sealed.subarray(1), sealed.subarray(0, 27), Buffer.alloc(0)])
      expect(await rejectionOf(decrypt(ours.call, { token: other, key, data }))).toBe(UNIFORM);
  });
});

describe('the connector rejects', () => {
  const digest = signatureAttributes({ digest: 'SHA-256' });
  const data = Buffer.from('x');

  it('keys that belong to other tokens, do not exist or are destroyed', async () => {
    const other = await createToken(ours.call);
    const { privateKeyData } = await createPair(ours.call, other);
    const key = privateKeyData.uuid;
    expect(await rejectionOf(sign(ours.call, { token, key, attributes: digest, data }))).toBe(
      `404: Key ${key} does not exist.`,
    );
    expect(await rejectionOf(destroy(ours.call, { token, key }))).toBe(`404: Key ${key} does not exist.`);
    expect(await sign(ours.call, { token: other, key, attributes: digest, data })).not.toHaveLength(0);
    await destroy(ours.call, { token: other, key });
    expect(await rejectionOf(sign(ours.call, { token: other, key, attributes: digest, data }))).toContain('404: Key');
    expect(await rejectionOf(sign(ours.call, { token, key: 'x', attributes: digest, data }))).toBe(
      '404: Key x does not exist.',
    );
    await deactivate(ours.call, other);
    expect(await rejectionOf(sign(ours.call, { token: other, key, attributes: digest, data }))).toContain(
      'deactivated',
    );
  });

  it('the wrong key of a pair, and keys with a different purpose', async () => {
    const { publicKey, privateKey } = await pairOf('P-256');
    expect(await rejectionOf(sign(ours.call, { token, key: publicKey, attributes: digest, data }))).toBe(
      '422: A public key cannot sign; use the other key of the pair.',
    );
    const verification = verify(ours.call, { token, key: privateKey, attributes: digest, data, signature: data });
    expect(await rejectionOf(verification)).toContain('A private key cannot verify');
    const kem = await pairOf('ML-KEM-768');
    expect(parsePublicKey(kem.spki).name).toBe('ML-KEM-768');
    expect(await rejectionOf(sign(ours.call, { token, key: kem.privateKey, data }))).toContain(
      'Keys of type ML-KEM-768 cannot sign',
    );
    expect(await rejectionOf(encrypt(ours.call, { token, key: publicKey, data }))).toContain('P-256 cannot encrypt');
  });

  it('attributes that do not match the key, which the error names', async () => {
    const { privateKey: ed25519 } = await pairOf('Ed25519');
    expect(await rejectionOf(sign(ours.call, { token, key: ed25519, attributes: digest, data }))).toContain(
      'accepts no attributes, not "data_sigDigest"',
    );
    const { privateKey: rsa } = await pairOf('RSA-2048');
    expect(await rejectionOf(sign(ours.call, { token, key: rsa, attributes: digest, data }))).toContain(
      'data_rsaSigScheme',
    );
  });

  it('too much data, and empty requests', async () => {
    const { privateKey, publicKey } = await pairOf('RSA-2048');
    const signMany = (count: number, bytes: number) =>
      ours.call(operations.signData, {
        params: { uuid: token, keyUuid: privateKey },
        body: {
          signatureAttributes: digest,
          data: Array.from({ length: count }, () => ({ data: 'A'.repeat(bytes) })),
        },
      });
    expect(await rejectionOf(signMany(0, 0))).toBe('422: The request contains nothing to sign.');
    expect(await rejectionOf(signMany(1001, 4))).toBe('422: One call can sign at most 1000 items, not 1001.');
    expect(await rejectionOf(signMany(3, 8 * 1024 * 1024))).toContain('One call can sign at most 16 MiB');
    const attributes = cipherAttributes({ scheme: 'OAEP', digest: 'SHA-256', mgf: true });
    expect(await rejectionOf(encrypt(ours.call, { token, key: publicKey, attributes, data: randomBytes(191) }))).toBe(
      '422: A key of type RSA-2048 can encrypt at most 190 bytes with these attributes, not 191.',
    );
    for (const length of [0, -1, 1024 * 1024 + 1]) {
      const random = ours.call(operations.randomData, { params: { uuid: token }, body: { length } });
      expect(await rejectionOf(random)).toContain(`random bytes must be between 1 and 1048576, not ${length}`);
    }
  });
});
