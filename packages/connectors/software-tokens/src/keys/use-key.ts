// Keys in use. They are loaded from the database into memory and used under their token's lease.
import { createSecretKey, type KeyObject } from 'node:crypto';
import { notFound } from '@signetry/connector-sdk';
import { importPrivateKey, importPublicKey } from '@signetry/pki/node';
import { isUuid } from '../problems.ts';
import type { ActiveToken } from '../tokens/active-token.ts';
import type { ActiveTokens } from '../tokens/active-tokens.ts';
import type { KeyReference, KeyStore, KeyWithMaterial } from './key-store.ts';
import type { OpenKey } from './open-key.ts';

interface Parts {
  readonly keys: KeyStore;
  readonly active: ActiveTokens;
}

/**
 * Runs `work` with a key and returns its result only if the key still exists: a signature made while its key was being
 * destroyed is discarded. Rejects unknown tokens and keys (404) and deactivated tokens (422).
 */
export async function useKey<Result>(
  parts: Parts,
  address: KeyReference,
  work: (key: OpenKey) => Result | Promise<Result>,
): Promise<Result> {
  const token = await parts.active.get(address.token);
  let { stamp } = token;
  const key = token.keys.get(address.key) ?? (await openOnce(parts, token, address));
  const done = work(key);
  const result = done instanceof Promise ? await done : done;
  while (!token.isLeased || token.stamp !== stamp) {
    await parts.active.renew(token);
    ({ stamp } = token);
    if (!(await parts.keys.find(address))) throw notFound('Key', address.key);
  }
  return result;
}

function openOnce(parts: Parts, token: ActiveToken, { key }: KeyReference): Promise<OpenKey> {
  const underWay = token.opening.get(key);
  if (underWay) return underWay;
  const started = open(parts, token, key).finally(() => {
    if (token.opening.get(key) === started) token.opening.delete(key);
  });
  token.opening.set(key, started);
  return started;
}

async function open({ keys }: Parts, token: ActiveToken, uuid: string): Promise<OpenKey> {
  const { stamp } = token;
  const row = isUuid(uuid) ? await keys.findWithMaterial({ token: token.uuid, key: uuid }) : undefined;
  if (!row) throw notFound('Key', uuid);
  const { type, family, specification: name, bits } = row;
  const opened = { type, family, name, bits, key: await keyObjectOf(row, token) };
  // A key that was destroyed in the meantime must not be cached.
  if (token.stamp === stamp) token.keys.set(uuid, opened);
  return opened;
}

async function keyObjectOf(row: KeyWithMaterial, token: ActiveToken): Promise<KeyObject> {
  const { spki, material } = row;
  if (!material) {
    const key = spki && importPublicKey(spki);
    if (!key) throw new Error(`Cannot read the public key ${row.uuid}.`);
    return key;
  }
  const plain = token.openMaterial(row.uuid, material);
  try {
    return row.type === 'Secret' ? createSecretKey(plain) : await importPrivateKey(plain);
  } finally {
    plain.fill(0);
  }
}
