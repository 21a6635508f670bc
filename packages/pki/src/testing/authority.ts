// CAs and certificates for tests: real keys with little code. Not exported by the package.
import {
  assembleCertificate,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  buildName,
  buildTbsCertificate,
  defaultSignatureAlgorithm,
  generateSerialNumber,
  keyIdentifier,
  keyUsageExtension,
  parseCertificate,
  parseNameText,
  parsePublicKey,
  signatureAlgorithm,
  subjectKeyIdentifierExtension,
  type Certificate,
  type ExtensionInput,
  type Name,
  type SignatureAlgorithm,
} from '../index.ts';
import { generateKeyPair, nodeCrypto, type KeyPair, type KeySpec } from '../node/index.ts';

/** Current time in all tests: a whole second that both time types can encode. */
export const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
export const DAY_MS = 86_400_000;

export interface TestEntity {
  readonly certificate: Certificate;
  readonly keys: KeyPair;
  readonly name: Name;
  readonly keyId: Uint8Array;
  readonly algorithm: SignatureAlgorithm;
  /** Signs with this entity's key. */
  readonly sign: (data: Uint8Array) => { algorithm: SignatureAlgorithm; signature: Uint8Array };
}

export interface TestEntityOptions {
  /** RFC 4514 text. */
  readonly subject: string;
  readonly issuer?: TestEntity;
  readonly spec?: KeySpec;
  readonly keys?: KeyPair;
  readonly algorithm?: string;
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
  readonly serialNumber?: Uint8Array;
  /** Replaces the default CA extensions (basic constraints, key usage, key identifiers). */
  readonly extensions?: readonly ExtensionInput[];
  /** Added to the default extensions. */
  readonly extra?: readonly ExtensionInput[];
}

const keysBySpec = new Map<KeySpec, Promise<KeyPair>>();

/** Returns the key pair of a type, generated once per test file. */
export function testKeys(spec: KeySpec): Promise<KeyPair> {
  let keys = keysBySpec.get(spec);
  if (keys === undefined) {
    keys = generateKeyPair(spec);
    keysBySpec.set(spec, keys);
  }
  return keys;
}

function caExtensions(keyId: Uint8Array, issuerKeyId: Uint8Array, pathLength?: number): ExtensionInput[] {
  return [
    basicConstraintsExtension({ ca: true, ...(pathLength !== undefined && { pathLength }) }),
    keyUsageExtension(['keyCertSign', 'cRLSign']),
    subjectKeyIdentifierExtension(keyId),
    authorityKeyIdentifierExtension(issuerKeyId),
  ];
}

/** Issues a certificate with its key; self-signed if there is no `issuer`. */
export async function issue(options: TestEntityOptions): Promise<TestEntity> {
  const keys = options.keys ?? (await (options.spec === undefined ? generateKeyPair('P-256') : testKeys(options.spec)));
  const key = parsePublicKey(keys.spki);
  const algorithm =
    options.algorithm === undefined ? defaultSignatureAlgorithm(key) : signatureAlgorithm(options.algorithm);
  const keyId = keyIdentifier(key, nodeCrypto.digest);
  const name = buildName(parseNameText(options.subject));
  const sign: TestEntity['sign'] = (data) => ({
    algorithm,
    signature: nodeCrypto.sign(keys.privateKey, { algorithm, data }),
  });
  const issuer = options.issuer ?? { name, keyId, algorithm, sign };
  const tbs = buildTbsCertificate({
    serialNumber: options.serialNumber ?? generateSerialNumber(nodeCrypto.randomBytes),
    signatureAlgorithm: issuer.algorithm,
    issuer: issuer.name,
    subject: name,
    notBeforeMs: options.notBeforeMs ?? NOW_MS - DAY_MS,
    notAfterMs: options.notAfterMs ?? NOW_MS + DAY_MS,
    spki: keys.spki,
    extensions: [...(options.extensions ?? caExtensions(keyId, issuer.keyId)), ...(options.extra ?? [])],
  });
  const certificate = parseCertificate(assembleCertificate(tbs, issuer.sign(tbs)));
  return { certificate, keys, name, keyId, algorithm, sign };
}
