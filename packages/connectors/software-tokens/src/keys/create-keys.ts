// Creates keys: generated or imported, encrypted with the token's data key, and stored. A call repeated with the same
// identifiers returns the existing keys.
import {
  notFound,
  rejectIf,
  rejected,
  specificationOf,
  type ConnectorContext,
  type FileContent,
} from '@signetry/connector-sdk';
import { checkKeyPolicy, DEFAULT_KEY_POLICY, parsePublicKey, PkiError, type PublicKey } from '@signetry/pki';
import { sign, verify, type KeyObject } from 'node:crypto';
import { exportPrivateKey, exportPublicKey, importPrivateKey, importPublicKey, readPkcs12 } from '@signetry/pki/node';
import type { PairOptions, SecretOptions } from '../attributes/key-attributes.ts';
import type { ActiveTokens } from '../tokens/active-tokens.ts';
import type { SlowLane } from '../turns.ts';
import { readOrReject } from '../problems.ts';
import { generatePair, generateSecret, type NewPair } from './generate-key.ts';
import { SECRET_SPECIFICATIONS } from './key-specifications.ts';
import type { KeyRow, KeyStore, NewKeyRow } from './key-store.ts';

interface Parts {
  readonly context: Pick<ConnectorContext, 'clock'>;
  readonly keys: KeyStore;
  readonly active: ActiveTokens;
  readonly slowLane: SlowLane;
}

/** Assigned before anything is generated, so that a repeated call finds the keys that the first call stored. */
export interface PairIds {
  readonly association: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface StoredPair {
  readonly publicKey: KeyRow;
  readonly privateKey: KeyRow;
}

export async function createPair(parts: Parts, token: string, ids: PairIds, wish: PairOptions): Promise<StoredPair> {
  const known = await findPair(parts, token, ids);
  if (known) return known;
  // Rejects a deactivated token before a key is generated needlessly.
  await parts.active.get(token);
  const pair = await parts.slowLane(() =>
    'file' in wish ? importPair(wish.file, wish.password) : generatePair(wish.specification),
  );
  await store(parts, await pairRows(parts, { token, ids, wish, pair }));
  // If another node has resumed the same call, the keys that it stored are used.
  const stored = await findPair(parts, token, ids);
  if (!stored) throw rejected('The key pair was destroyed while it was being created.');
  return stored;
}

async function findPair({ keys }: Parts, token: string, ids: PairIds): Promise<StoredPair | undefined> {
  const rows = await keys.findTogether(token, ids.association);
  const publicKey = rows.find(({ uuid }) => uuid === ids.publicKey);
  const privateKey = rows.find(({ uuid }) => uuid === ids.privateKey);
  return publicKey && privateKey && { publicKey, privateKey };
}

async function pairRows(
  { context, active }: Parts,
  { token, ids, wish, pair }: { token: string; ids: PairIds; wish: PairOptions; pair: NewPair },
): Promise<readonly NewKeyRow[]> {
  try {
    const key = parsePublicKey(pair.spki);
    const common = {
      token_uuid: token,
      association: ids.association,
      name: wish.alias,
      family: key.family,
      specification: specificationOf(key),
      bits: key.bits,
      spki: pair.spki,
      exportable: wish.isExportable,
      created_at: context.clock.now(),
    };
    const opened = await active.get(token);
    const material = opened.sealMaterial(ids.privateKey, pair.material);
    return [
      { ...common, uuid: ids.publicKey, type: 'Public', material: null },
      { ...common, uuid: ids.privateKey, type: 'Private', material },
    ];
  } finally {
    pair.material.fill(0);
  }
}

export async function createSecret(parts: Parts, token: string, uuid: string, wish: SecretOptions): Promise<KeyRow> {
  const known = await parts.keys.find({ token, key: uuid });
  if (known) return known;
  const opened = await parts.active.get(token);
  const { family, bits } = SECRET_SPECIFICATIONS[wish.specification];
  const plain = generateSecret(wish.specification);
  const material = opened.sealMaterial(uuid, plain);
  plain.fill(0);
  const row: NewKeyRow = {
    uuid,
    token_uuid: token,
    association: uuid,
    name: wish.alias,
    type: 'Secret',
    family,
    specification: wish.specification,
    bits,
    spki: null,
    exportable: false,
    material,
    created_at: parts.context.clock.now(),
  };
  await store(parts, [row]);
  return row;
}

/** Rejects the keys if the token no longer exists or already has a key with this name. */
async function store({ keys }: Parts, rows: readonly NewKeyRow[]): Promise<void> {
  const [first] = rows;
  const outcome = await keys.insert(rows);
  if (outcome === 'gone') throw notFound('Token', first?.token_uuid ?? '');
  if (outcome === 'taken')
    throw rejected(`The token already has a key "${first?.name ?? ''}". Choose a different alias.`);
}

/**
 * Start of the error messages when a key cannot be imported. An imported key is read from its file, checked, and tested
 * before it is stored.
 */
const WHAT = 'Cannot import the key';
/** Key types that can be generated can also be imported, including ML-KEM. */
const POLICY = { families: [...DEFAULT_KEY_POLICY.families, 'ML-KEM' as const] };

/** Rejects unreadable files, files with multiple keys, weak keys, and key pairs that do not match. */
async function importPair(file: FileContent, password: string | undefined): Promise<NewPair> {
  const privateKey = await readOrReject(WHAT, () => readKey(file.bytes, password));
  const spki = exportPublicKey(privateKey);
  const publicKey = await readOrReject(WHAT, () => parsePublicKey(spki));
  // All operations except one would reject RSASSA-PSS keys (RFC 4055 §1.2).
  if (privateKey.asymmetricKeyType === 'rsa-pss')
    throw rejected(`${WHAT}: RSA keys restricted to PSS are not supported.`);
  rejectIf(checkKeyPolicy(publicKey, POLICY).map(({ message }) => `${WHAT}: ${message}`));
  if (!matchesPublicKey(privateKey, publicKey)) throw rejected(`${WHAT}: its private and public keys do not match.`);
  return { spki, material: exportPrivateKey(privateKey) };
}

/** DER starts with a SEQUENCE tag; PEM is text. */
const isPem = (bytes: Uint8Array): boolean => bytes[0] !== 0x30;

async function readKey(bytes: Uint8Array, password: string | undefined): Promise<KeyObject> {
  if (isPem(bytes)) return importPrivateKey(bytes, password === undefined ? {} : { password });
  const { keys } = await readPkcs12(bytes, { password: password ?? '' });
  const [first, ...others] = keys;
  if (!first || others.length > 0)
    throw new PkiError('bad-key', `The PKCS #12 file must contain exactly one private key, not ${keys.length}.`);
  return first.privateKey;
}

/**
 * OpenSSL does not check that the halves of a key pair match, and signing with a mismatched public key can reveal the
 * private key.
 */
function matchesPublicKey(privateKey: KeyObject, { family, spki }: PublicKey): boolean {
  if (family === 'ML-KEM') return true;
  const publicKey = importPublicKey(spki);
  const digest = family === 'RSA' || family === 'ECDSA' ? 'sha256' : null;
  const probe = Buffer.from('software-tokens: a key that is imported');
  try {
    return publicKey !== undefined && verify(digest, probe, publicKey, sign(digest, probe, privateKey));
  } catch {
    return false;
  }
}
