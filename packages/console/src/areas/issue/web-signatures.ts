// Converts Web Cryptography API signatures from and to X.509. An ECDSA signature is r || s in the former and a SEQUENCE
// of two INTEGERs in the latter.
import {
  DerCursor,
  contentBytes,
  encodeDer,
  integerPart,
  parseDer,
  sequence,
  TAG,
  type CertificationRequest,
} from '@signetry/pki';

export interface WebKeyType {
  readonly label: string;
  readonly about: string;
  /** Algorithm of the key pair. */
  readonly generate: RsaHashedKeyGenParams | EcKeyGenParams | Algorithm;
  readonly sign: AlgorithmIdentifier | EcdsaParams;
  /** X.509 name of the signature algorithm. */
  readonly signature: string;
  /** Bytes per ECDSA coordinate. */
  readonly coordinate?: number;
  /** Set if some browsers do not support the key type. */
  readonly isNew?: true;
}

const rsa = (bits: number): RsaHashedKeyGenParams => ({
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: bits,
  publicExponent: Uint8Array.of(1, 0, 1),
  hash: 'SHA-256',
});

/** Returns a key type whose algorithm has the same name in browsers and in X.509 and whose signatures are raw. */
const rawKeyType = (name: string) => ({ generate: { name }, sign: { name }, signature: name, isNew: true }) as const;

export const webKeyTypes = {
  'P-256': {
    label: 'ECDSA P-256',
    about: 'small and fast; suits most servers',
    generate: { name: 'ECDSA', namedCurve: 'P-256' },
    sign: { name: 'ECDSA', hash: 'SHA-256' },
    signature: 'SHA256withECDSA',
    coordinate: 32,
  },
  'P-384': {
    label: 'ECDSA P-384',
    about: 'if a policy requires more than P-256',
    generate: { name: 'ECDSA', namedCurve: 'P-384' },
    sign: { name: 'ECDSA', hash: 'SHA-384' },
    signature: 'SHA384withECDSA',
    coordinate: 48,
  },
  'RSA-2048': {
    label: 'RSA 2048',
    about: 'for old clients',
    generate: rsa(2048),
    sign: { name: 'RSASSA-PKCS1-v1_5' },
    signature: 'SHA256withRSA',
  },
  'RSA-4096': {
    label: 'RSA 4096',
    about: 'for old clients and long validity periods; slow',
    generate: rsa(4096),
    sign: { name: 'RSASSA-PKCS1-v1_5' },
    signature: 'SHA256withRSA',
  },
  Ed25519: { ...rawKeyType('Ed25519'), label: 'Ed25519', about: 'small and fast; not for public web servers' },
  'ML-DSA-44': { ...rawKeyType('ML-DSA-44'), label: 'ML-DSA-44', about: 'post-quantum; few clients support it' },
  'ML-DSA-65': {
    ...rawKeyType('ML-DSA-65'),
    label: 'ML-DSA-65',
    about: 'post-quantum, stronger; few clients support it',
  },
  'ML-DSA-87': {
    ...rawKeyType('ML-DSA-87'),
    label: 'ML-DSA-87',
    about: 'post-quantum, strongest; few clients support it',
  },
} as const satisfies Record<string, WebKeyType>;

export type WebKeyName = keyof typeof webKeyTypes;

/** Signs with a key of this type and returns the X.509 encoding of the signature. */
export async function signWith(type: WebKeyType, key: CryptoKey, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const raw = new Uint8Array(await crypto.subtle.sign(type.sign, key, data));
  if (type.coordinate === undefined) return raw;
  const half = type.coordinate;
  return encodeDer(
    sequence([
      integerPart(stripLeadingZeros(raw.subarray(0, half))),
      integerPart(stripLeadingZeros(raw.subarray(half))),
    ]),
  );
}

/** Strips leading zeros, because DER requires the shortest encoding (X.690 §8.3.2). */
function stripLeadingZeros(number: Uint8Array): Uint8Array {
  let start = 0;
  while (start < number.length - 1 && number[start] === 0) start += 1;
  return number.subarray(start);
}

/**
 * Returns whether a CSR is signed with its own key, or undefined if browsers do not support the algorithm. The platform
 * also checks CSRs with such algorithms.
 */
export async function isSignatureValid(request: CertificationRequest): Promise<boolean | undefined> {
  const { family, curve, spki } = request.publicKey;
  const type =
    family === 'RSA'
      ? webKeyTypes['RSA-2048']
      : curve === 'P-256' || curve === 'P-384'
        ? webKeyTypes[curve]
        : undefined;
  if (!type) return undefined;
  try {
    const key = await crypto.subtle.importKey('spki', copyBytes(spki), type.generate, false, ['verify']);
    const signature = 'coordinate' in type ? rawSignature(request.signature, type.coordinate) : request.signature;
    return await crypto.subtle.verify(type.sign, key, copyBytes(signature), copyBytes(request.info));
  } catch {
    return undefined; // The digest is unusual, or the browser rejects the key.
  }
}

function rawSignature(der: Uint8Array, coordinate: number): Uint8Array {
  const cursor = new DerCursor(parseDer(der));
  const raw = new Uint8Array(2 * coordinate);
  for (const end of [coordinate, 2 * coordinate]) {
    const number = stripLeadingZeros(contentBytes(cursor.take(TAG.integer)));
    raw.set(number, end - number.length);
  }
  return raw;
}

/** Copies the bytes, because Web Cryptography does not accept shared buffers. */
export const copyBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
