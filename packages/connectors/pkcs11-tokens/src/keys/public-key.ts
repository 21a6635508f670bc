// Builds SubjectPublicKeyInfo structures for public keys from token attributes.
import {
  bitStringPart,
  encodeDer,
  integerPart,
  isPkiError,
  nullPart,
  OID,
  oidPart,
  parseCertificate,
  parseDer,
  parsePublicKey,
  readOctetString,
  sequence,
  TAG,
  type DerPart,
  type PublicKey,
} from '@signetry/pki';
import { CKK, CKO } from '../module/constants.ts';
import type { ObjectFacts } from '../module/protocol.ts';

/** Returns undefined if the attributes are missing or malformed. */
export function publicKeyOf(object: ObjectFacts): PublicKey | undefined {
  try {
    const spki = spkiOf(object);
    return spki && parsePublicKey(spki);
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}

function spkiOf(object: ObjectFacts): Uint8Array | undefined {
  const { objectClass, keyType, publicKeyInfo, value } = object;
  if (objectClass === CKO.certificate) return value && parseCertificate(Uint8Array.from(value)).publicKey.spki;
  switch (keyType) {
    case CKK.rsa:
      return rsaSpki(object);
    case CKK.ec:
      return ecSpki(object);
    case CKK.ecEdwards:
      return edwardsSpki(object);
    case CKK.mlDsa:
      return mlDsaSpki(object);
    default:
      return publicKeyInfo && publicKeyInfo.length > 0 ? Uint8Array.from(publicKeyInfo) : undefined;
  }
}

const spki = (algorithm: DerPart, key: Uint8Array): Uint8Array => encodeDer(sequence([algorithm, bitStringPart(key)]));

/** RFC 3279 §2.3.1. */
function rsaSpki({ modulus, publicExponent }: ObjectFacts): Uint8Array | undefined {
  if (!modulus?.length || !publicExponent?.length) return undefined;
  const key = encodeDer(sequence([integerPart(modulus), integerPart(publicExponent)]));
  return spki(sequence([oidPart(OID.rsaEncryption), nullPart()]), key);
}

/** RFC 5480 §2. */
function ecSpki(object: ObjectFacts): Uint8Array | undefined {
  const { ecParams, ecPoint, publicKeyInfo } = object;
  if (!ecPoint?.length || !ecParams?.length) return copyIfPresent(publicKeyInfo);
  return spki(sequence([oidPart(OID.ecPublicKey), Uint8Array.from(ecParams)]), pointOf(ecPoint));
}

/** RFC 8410 §4. The curve is determined by the key length, regardless of how the token names it. */
function edwardsSpki({ ecPoint, publicKeyInfo }: ObjectFacts): Uint8Array | undefined {
  if (!ecPoint?.length) return copyIfPresent(publicKeyInfo);
  const key = pointOf(ecPoint);
  const oid = EDWARDS_OIDS[key.length];
  return oid === undefined ? undefined : spki(sequence([oidPart(oid)]), key);
}

const EDWARDS_OIDS: Readonly<Record<number, string>> = { 32: OID.ed25519, 57: OID.ed448 };

/** RFC 9881 §4. */
function mlDsaSpki({ value, parameterSet, publicKeyInfo }: ObjectFacts): Uint8Array | undefined {
  const oid = ML_DSA_OIDS[parameterSet ?? 0];
  if (!value?.length || oid === undefined) return copyIfPresent(publicKeyInfo);
  return spki(sequence([oidPart(oid)]), Uint8Array.from(value));
}

const ML_DSA_OIDS: Readonly<Record<number, string>> = { 1: OID.mlDsa44, 2: OID.mlDsa65, 3: OID.mlDsa87 };

const copyIfPresent = (info: Uint8Array | undefined): Uint8Array | undefined =>
  info && info.length > 0 ? Uint8Array.from(info) : undefined;

/** PKCS #11 wraps points in an OCTET STRING; tokens that follow older versions do not. */
function pointOf(value: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(value);
  if (bytes[0] !== TAG.octetString) return bytes;
  try {
    return readOctetString(parseDer(bytes));
  } catch {
    return bytes; // Bare point whose first byte happens to be the tag.
  }
}
