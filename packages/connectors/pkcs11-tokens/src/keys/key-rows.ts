// Converts token objects to keys with their properties and the identifiers by which platforms know them.
import { createHash } from 'node:crypto';
import { nonExportableKeyData, publicKeyData, type KeyFacts } from '@signetry/connector-sdk';
import type { KeyDataResponseDto } from '@signetry/contract';
import type { PublicKey } from '@signetry/pki';
import { CKK, CKO } from '../module/constants.ts';
import type { ObjectFacts, ObjectReference, TokenReference } from '../module/protocol.ts';
import type { KeyRow } from './key-store.ts';
import { publicKeyOf } from './public-key.ts';

/** Object classes to list from a token. A certificate provides the public key if no other object does. */
export const LISTED_CLASSES = [CKO.publicKey, CKO.privateKey, CKO.secretKey, CKO.certificate] as const;

interface Token extends TokenReference {
  readonly uuid: string;
}

/** Returns rows for the keys among the objects. Unsupported key types are skipped. */
export function keyRowsOf(token: Token, objects: readonly ObjectFacts[]): KeyRow[] {
  const publicKeys = publicKeysById(objects);
  const rows = objects.flatMap((object) => {
    if (object.objectClass === CKO.certificate) return [];
    if (object.objectClass === CKO.secretKey) return secretRow(token, object);
    const key = publicKeyOf(object) ?? publicKeys.get(idText(object.id));
    return key ? [rowOf(token, object, { facts: factsOf(key), spki: key.spki })] : unknownPrivate(token, object);
  });
  const unique = [...new Map(rows.map((row) => [row.uuid, row])).values()];
  return unique.sort((one, other) => compareText(one.label, other.label) || compareText(one.uuid, other.uuid));
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function publicKeysById(objects: readonly ObjectFacts[]): ReadonlyMap<string, PublicKey> {
  const found = new Map<string, PublicKey>();
  // Public keys are processed last and take precedence over certificates.
  for (const objectClass of [CKO.certificate, CKO.publicKey]) {
    for (const object of objects) {
      if (object.objectClass !== objectClass || object.id.length === 0) continue;
      const key = publicKeyOf(object);
      if (key) found.set(idText(object.id), key);
    }
  }
  return found;
}

export const rowOf = (
  token: Token,
  object: ObjectReference,
  { facts, spki }: { readonly facts: KeyFacts; readonly spki: Uint8Array | null },
): KeyRow => ({
  token_uuid: token.uuid,
  uuid: identifierOf(token, object),
  object_class: object.objectClass,
  key_type: object.keyType,
  cka_id: object.id,
  label: object.label,
  facts,
  spki,
});

export const factsOf = ({ family, name, bits, curve }: PublicKey): KeyFacts => ({
  family,
  name,
  bits,
  ...(curve === undefined ? {} : { curve }),
});

/** Private keys without a public key to verify signatures with are listed but not used. */
function unknownPrivate(token: Token, object: ObjectFacts): KeyRow[] {
  const family = FAMILIES[object.keyType];
  if (object.objectClass !== CKO.privateKey || family === undefined) return [];
  return [rowOf(token, object, { facts: { family, name: family, bits: 0 }, spki: null })];
}

const FAMILIES: Readonly<Record<number, string>> = { [CKK.rsa]: 'RSA', [CKK.ec]: 'ECDSA' };

function secretRow(token: Token, object: ObjectFacts): KeyRow[] {
  const bits = 8 * (object.valueLength ?? 0);
  if (object.keyType === CKK.aes)
    return [rowOf(token, object, { facts: { family: 'AES', name: `AES-${bits}`, bits }, spki: null })];
  const digest = HMAC_DIGESTS[object.keyType] ?? (object.keyType === CKK.genericSecret ? digestFor(bits) : undefined);
  if (digest === undefined) return [];
  return [rowOf(token, object, { facts: { family: 'HMAC', name: `HMAC-${digest}`, bits }, spki: null })];
}

const HMAC_DIGESTS: Readonly<Record<number, string>> = {
  [CKK.sha256Hmac]: 'SHA-256',
  [CKK.sha384Hmac]: 'SHA-384',
  [CKK.sha512Hmac]: 'SHA-512',
};

/** A generic secret specifies no digest: use the strongest one that the key is long enough for (RFC 2104 §3). */
const digestFor = (bits: number): string => (bits >= 512 ? 'SHA-512' : bits >= 384 ? 'SHA-384' : 'SHA-256');

/**
 * Returns the same identifier on every node and after every listing: a UUIDv8 (RFC 9562 §5.8) derived from the token
 * and the object's identification on it. The label is used only without a CKA_ID, because programs change it.
 */
function identifierOf({ serial, label }: TokenReference, object: ObjectReference): string {
  const known = object.id.length > 0 ? `id ${idText(object.id)}` : `label ${object.label}`;
  const text = JSON.stringify(['pkcs11-tokens key', serial, label, object.objectClass, object.keyType, known]);
  const bytes = Uint8Array.from(createHash('sha256').update(text).digest().subarray(0, 16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const idText = (id: Uint8Array): string => Buffer.from(id).toString('hex');

/** Returns a key as defined by the interface. Both halves of a pair have the same CKA_ID. */
export function presentKey(row: KeyRow): KeyDataResponseDto {
  const id = idText(row.cka_id);
  const name = row.label || id || row.uuid;
  const keyData =
    row.object_class === CKO.publicKey && row.spki
      ? publicKeyData({ ...row.facts, spki: row.spki })
      : nonExportableKeyData(row.facts, {
          type: row.object_class === CKO.secretKey ? 'Secret' : 'Private',
          reference: { id, label: row.label },
        });
  return { uuid: row.uuid, name, ...(id && row.object_class !== CKO.secretKey ? { association: id } : {}), keyData };
}

export const referenceOf = ({ object_class, key_type, cka_id, label }: KeyRow): ObjectReference => ({
  objectClass: object_class,
  keyType: key_type,
  id: cka_id,
  label,
});
