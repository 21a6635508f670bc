// Composite and pre-hash signatures. Composite ones are created here from their parts; pre-hash ones are fixtures that
// other software (noble-post-quantum) signed.
import { createPrivateKey, generateKeyPairSync, hash, sign, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assembleCertificate, buildTbsCertificate } from './x509/builder.ts';
import { bitStringPart, encodeDer, oidPart, sequence } from './der/writer.ts';
import { buildPath } from './path/build.ts';
import { buildName } from './names.ts';
import { COMPOSITE_ALGORITHMS, compositeLabel, compositeMessage, type CompositeAlgorithm } from './composite.ts';
import { concatBytes, fromHex } from './bytes.ts';
import { createNodeCrypto, exportPublicKey, nodeCrypto } from './node/index.ts';
import { findingsOnCertificate } from './lint/index.ts';
import { isSignedBy } from './x509/signed.ts';
import { NOW_MS, DAY_MS } from './testing/authority.ts';
import { parseAlgorithm, resolveSignatureAlgorithm, signatureAlgorithm } from './algorithms.ts';
import { parseCertificate, readCertificate, type Certificate } from './x509/certificate.ts';
import { parsePublicKey } from './keys.ts';
import { verifyEncodedMlDsa } from './node/ml-dsa-verify.ts';
import { verifyEncodedSlhDsa } from './node/slh-dsa-verify.ts';

const { verify } = nodeCrypto;

type NodeKeys = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
const rsaKeys = new Map<number, NodeKeys>();

function traditionalKeys({ name, rsaBits }: CompositeAlgorithm): NodeKeys {
  if (rsaBits !== undefined) {
    const keys = rsaKeys.get(rsaBits) ?? generateKeyPairSync('rsa', { modulusLength: rsaBits });
    rsaKeys.set(rsaBits, keys);
    return keys;
  }
  const [, curve] = /-(P-?\d+|brainpool\w+|Ed\d+)-/.exec(name) ?? [];
  if (curve === 'Ed25519') return generateKeyPairSync('ed25519');
  if (curve === 'Ed448') return generateKeyPairSync('ed448');
  return generateKeyPairSync('ec', { namedCurve: curve?.replace(/^P/, 'P-') ?? '' });
}

const digestOf = (name: string, data: Uint8Array): Uint8Array =>
  name === 'shake256'
    ? hash('shake256', data, { outputEncoding: 'buffer', outputLength: 64 })
    : hash(name, data, 'buffer');

interface CompositeKeys {
  readonly spki: Uint8Array;
  readonly sign: (data: Uint8Array) => Uint8Array;
}

function compositeKeys(algorithm: CompositeAlgorithm): CompositeKeys {
  const postQuantum = generateKeyPairSync(`ml-dsa-${algorithm.set}` as 'ml-dsa-44');
  const traditional = traditionalKeys(algorithm);
  const bytesOf = (key: KeyObject): Uint8Array => parsePublicKey(exportPublicKey(key)).keyBytes;
  const keyBytes = concatBytes([bytesOf(postQuantum.publicKey), bytesOf(traditional.publicKey)]);
  return {
    spki: encodeDer(sequence([sequence([oidPart(algorithm.oid)]), bitStringPart(keyBytes)])),
    sign: (data) => {
      const message = compositeMessage(algorithm, digestOf(algorithm.digest, data));
      const context = compositeLabel(algorithm);
      return concatBytes([
        sign(null, message, { key: postQuantum.privateKey, context }),
        nodeCrypto.sign(traditional.privateKey, {
          algorithm: signatureAlgorithm(algorithm.traditional),
          data: message,
        }),
      ]);
    },
  };
}

function certificateOf(oid: string, keys: CompositeKeys): Certificate {
  const algorithm = resolveSignatureAlgorithm(parseAlgorithm(encodeDer(sequence([oidPart(oid)]))));
  const name = buildName([{ type: 'CN', value: algorithm.name }]);
  const tbs = buildTbsCertificate({
    serialNumber: new Uint8Array(16).fill(0x41),
    signatureAlgorithm: algorithm,
    issuer: name,
    subject: name,
    notBeforeMs: NOW_MS - DAY_MS,
    notAfterMs: NOW_MS + DAY_MS,
    spki: keys.spki,
    extensions: [],
  });
  return parseCertificate(assembleCertificate(tbs, { algorithm, signature: keys.sign(tbs) }));
}

describe('composite ML-DSA', () => {
  it.each([...COMPOSITE_ALGORITHMS.values()].map((algorithm) => [algorithm.name, algorithm] as const))(
    '%s is read, and verifies only if both parts do',
    (name, algorithm) => {
      const certificate = certificateOf(algorithm.oid, compositeKeys(algorithm));
      expect(certificate.signatureAlgorithmName).toBe(name);
      expect(certificate.publicKey).toMatchObject({ family: 'Composite', name, bits: algorithm.set });
      const { spki, tbs, signatureAlgorithm: id, signature } = certificate;
      const isGood = (changed: Uint8Array): boolean =>
        isSignedBy({ tbs, signatureAlgorithm: id, signature: changed }, { issuerSpki: spki, verify });
      expect(isGood(signature)).toBe(true);
      expect(isGood(signature.with(100, (signature[100] ?? 0) ^ 1))).toBe(false);
      const last = signature.length - 5;
      expect(isGood(signature.with(last, (signature[last] ?? 0) ^ 1))).toBe(false);
      expect(isGood(signature.subarray(0, 1000))).toBe(false);
      const other = certificateOf(algorithm.oid, compositeKeys(algorithm));
      expect(isSignedBy(certificate, { issuerSpki: other.spki, verify })).toBe(false);
    },
  );

  it('constructs the message of the draft (§2.2)', () => {
    const algorithm = COMPOSITE_ALGORITHMS.get('1.3.6.1.5.5.7.6.45');
    if (algorithm === undefined) throw new Error('The algorithm is missing.');
    const message = compositeMessage(algorithm, digestOf('sha512', fromHex('00010203040506070809')));
    const text = new TextDecoder().decode(message.subarray(0, 65));
    expect(text).toBe('CompositeAlgorithmSignatures2025COMPSIG-MLDSA65-ECDSA-P256-SHA512');
    expect(message.subarray(65, 74).toHex()).toBe('000f89ee1fcb7b0a4f');
  });

  it('is accepted by lint, except where the Baseline Requirements apply, and counts as post-quantum', () => {
    const algorithm = COMPOSITE_ALGORITHMS.get('1.3.6.1.5.5.7.6.39');
    if (algorithm === undefined) throw new Error('The algorithm is missing.');
    const certificate = certificateOf(algorithm.oid, compositeKeys(algorithm));
    const rules = findingsOnCertificate(certificate).map(({ rule }) => rule);
    for (const rule of ['key-policy', 'pq-key', 'pq-signature', 'signature-parameters'])
      expect(rules).not.toContain(rule);
  });
});

describe('pre-hash signatures', () => {
  const example = (file: string): Certificate =>
    readCertificate(readFileSync(join(import.meta.dirname, 'testing/vectors', file)));

  it.each([
    ['hash-ml-dsa-44.pem', 'HashML-DSA-44-with-SHA512', 'HashML-DSA', 44],
    ['hash-slh-dsa-sha2-128s.pem', 'HashSLH-DSA-SHA2-128S-with-SHA256', 'HashSLH-DSA', 128],
    ['hash-slh-dsa-shake-128s.pem', 'HashSLH-DSA-SHAKE-128S-with-SHAKE128', 'HashSLH-DSA', 128],
  ])('of %s are read and verified', (file, name, family, bits) => {
    const certificate = example(file);
    expect(certificate.signatureAlgorithmName).toBe(name);
    expect(certificate.publicKey).toMatchObject({ family, name, bits });
    const { spki, tbs, signatureAlgorithm: id, signature } = certificate;
    expect(isSignedBy(certificate, { issuerSpki: spki, verify })).toBe(true);
    const changed = { tbs: tbs.with(100, (tbs[100] ?? 0) ^ 1), signatureAlgorithm: id, signature };
    expect(isSignedBy(changed, { issuerSpki: spki, verify })).toBe(false);
    const cut = { tbs, signatureAlgorithm: id, signature: signature.subarray(1) };
    expect(isSignedBy(cut, { issuerSpki: spki, verify })).toBe(false);
  });

  it('of one algorithm do not verify with a key of another', () => {
    const [one, other] = [example('hash-ml-dsa-44.pem'), example('rfc9881-ml-dsa-44.pem')];
    expect(isSignedBy(one, { issuerSpki: other.spki, verify })).toBe(false);
    expect(isSignedBy(other, { issuerSpki: one.spki, verify })).toBe(false);
  });

  it('verify asynchronously with the same result', async () => {
    const { spki, tbs: data, signatureAlgorithm: id, signature } = example('hash-ml-dsa-44.pem');
    const algorithm = resolveSignatureAlgorithm(id);
    const own = createNodeCrypto({ maxCachedKeys: 0 });
    expect(await own.verifyAsync(spki, { algorithm, data, signature })).toBe(true);
    expect(await own.verifyAsync(spki, { algorithm, data: data.subarray(1), signature })).toBe(false);
  });
});

/** Encodes a message as pure ML-DSA and SLH-DSA do, so that signatures of node:crypto test the verifiers. */
const pure = (message: Uint8Array): Uint8Array => concatBytes([Uint8Array.of(0, 0), message]);

describe.each([
  ['ML-DSA-44', verifyEncodedMlDsa],
  ['ML-DSA-65', verifyEncodedMlDsa],
  ['ML-DSA-87', verifyEncodedMlDsa],
  ['SLH-DSA-SHA2-128F', verifyEncodedSlhDsa],
  ['SLH-DSA-SHA2-192F', verifyEncodedSlhDsa],
  ['SLH-DSA-SHA2-256F', verifyEncodedSlhDsa],
  ['SLH-DSA-SHAKE-128F', verifyEncodedSlhDsa],
  ['SLH-DSA-SHAKE-192F', verifyEncodedSlhDsa],
  ['SLH-DSA-SHAKE-256F', verifyEncodedSlhDsa],
] as const)('the verifier of %s', (set, verifyEncoded) => {
  const { publicKey, privateKey } = generateKeyPairSync(set.toLowerCase() as 'ml-dsa-44');
  const { keyBytes } = parsePublicKey(exportPublicKey(publicKey));
  const data = new TextEncoder().encode(`signed with ${set}`);
  const signature = new Uint8Array(sign(null, data, privateKey));

  it('accepts signatures of OpenSSL', () => {
    expect(verifyEncoded(set, { keyBytes, message: pure(data), signature })).toBe(true);
    expect(verifyEncoded(set, { keyBytes, message: data, signature })).toBe(false);
  });

  it('rejects changed signatures and wrong lengths', () => {
    for (const at of [0, Math.floor(signature.length / 2), signature.length - 1]) {
      const changed = signature.with(at, (signature[at] ?? 0) ^ 0x41);
      expect(verifyEncoded(set, { keyBytes, message: pure(data), signature: changed })).toBe(false);
    }
    expect(verifyEncoded(set, { keyBytes, message: pure(data), signature: signature.subarray(1) })).toBe(false);
    expect(verifyEncoded(set, { keyBytes: keyBytes.subarray(1), message: pure(data), signature })).toBe(false);
    expect(verifyEncoded('ML-DSA-99', { keyBytes, message: pure(data), signature })).toBe(false);
  });
});

describe('an unknown signature algorithm', () => {
  const falcon = '1.3.9999.3.11';
  const keys = generateKeyPairSync('ed25519');
  const base = COMPOSITE_ALGORITHMS.get('1.3.6.1.5.5.7.6.39');

  it('is reported as such when a path is built', () => {
    if (base === undefined) throw new Error('The algorithm is missing.');
    const issuerName = buildName([{ type: 'CN', value: 'Falcon CA' }]);
    const algorithm = { ...signatureAlgorithm('Ed25519'), der: encodeDer(sequence([oidPart(falcon)])), oid: falcon };
    const built = (subject: string): Certificate => {
      const tbs = buildTbsCertificate({
        serialNumber: new Uint8Array(16).fill(0x41),
        signatureAlgorithm: algorithm,
        issuer: issuerName,
        subject: buildName([{ type: 'CN', value: subject }]),
        notBeforeMs: NOW_MS - DAY_MS,
        notAfterMs: NOW_MS + DAY_MS,
        spki: exportPublicKey(createPrivateKey(keys.privateKey.export({ format: 'pem', type: 'pkcs8' }))),
        extensions: [],
      });
      return parseCertificate(assembleCertificate(tbs, { algorithm, signature: new Uint8Array(64) }));
    };
    const [ca, leaf] = [built('Falcon CA'), built('leaf')];
    expect(leaf.signatureAlgorithmName).toBe('Falcon-512');
    const candidates = [{ certificate: ca, isAnchor: true }];
    const { end, failures } = buildPath(leaf, { candidates, nowMs: NOW_MS, verify });
    expect(end).toBe('algorithmUnknown');
    expect(failures[0]?.message).toBe(
      'Signature algorithm Falcon-512 (1.3.9999.3.11) is not supported. Cannot verify whether "CN=Falcon CA" signed ' +
        'this certificate.',
    );
    const alone = buildPath(leaf, { candidates: [], nowMs: NOW_MS, verify });
    expect(alone.end).toBe('issuerUnknown');
    const self = buildPath(ca, { candidates: [], nowMs: NOW_MS, verify });
    expect(self.end).toBe('algorithmUnknown');
  });
});
