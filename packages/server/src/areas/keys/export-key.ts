// Export of private keys. A key can be exported only if it was created as exportable and is usable, by callers who can
// use it and have the `export` permission on the key, its token and its token profile; ownership is not sufficient. The
// key is in this process only while the file is being written, and the caller receives the file only after the export
// was recorded (ADR 99).
import { createHash } from 'node:crypto';
import { keyUsageBit } from '@signetry/contract';
import { importPrivateKey, exportPublicKey } from '@signetry/pki/node';
import type { RequestContext } from '../../kernel/actor.ts';
import { isAccessibleBy } from '../../kernel/belonging.ts';
import { AppError, rejected } from '../../kernel/errors.ts';
import { isHeldBy, type ContainedObject } from '../../kernel/visible-objects.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { KeyExports as ConnectorKeyExports } from '../connectors/index.ts';
import { requirePermission } from '../identity/index.ts';
import type { TokenProfileRow, Tokens } from '../tokens/index.ts';
import { keyUses, possibleUsages, problemOfState } from './key-state.ts';
import { findByPublicKey, findContained, findItems, holdExportable } from './store.ts';
import type { KeyItemRow, KeyRow } from './tables.ts';

/** A key whose private half is being exported. */
export interface ExportedKey {
  readonly uuid: string;
  readonly name: string;
  /** PKCS #8 in DER; overwritten after use. */
  readonly pkcs8: Uint8Array;
}

export interface KeyExport<Result> {
  readonly context: RequestContext;
  /** Writes the file. Must not keep the key. */
  readonly use: (key: ExportedKey) => Promise<Result>;
  /** Writes the audit record, in the transaction that confirms that the key can still be exported. */
  readonly record: (tx: Executor, key: Omit<ExportedKey, 'pkcs8'>) => Promise<void>;
}

export interface KeyExportParts {
  readonly platform: Pick<Platform, 'database'>;
  readonly connectors: ConnectorKeyExports;
  readonly tokens: Pick<Tokens, 'reach' | 'requireProfile'>;
}

/** Exports the key with this public key: SHA-256 of the SubjectPublicKeyInfo in lowercase hex. */
export async function exportKey<Result>(
  parts: KeyExportParts,
  fingerprint: string,
  { context, use, record }: KeyExport<Result>,
): Promise<Result> {
  const { database } = parts.platform;
  const found = await findExportable(parts, fingerprint, context);
  const { uuid, name } = found.key;
  const pkcs8 = await readPrivateKey(parts, found);
  let result: Result;
  try {
    await assertMatches(pkcs8, fingerprint, name);
    result = await use({ uuid, name, pkcs8 });
  } finally {
    pkcs8.fill(0);
  }
  await database.transaction(async (tx) => {
    if (!(await holdExportable(tx, found.item.uuid))) throw noLongerExportable(name);
    await record(tx, { uuid, name });
  });
  return result;
}

interface FoundKey {
  readonly key: KeyRow & { readonly token_uuid: string };
  readonly item: KeyItemRow & { readonly reference: string };
}

async function findExportable(
  { platform: { database }, tokens }: KeyExportParts,
  fingerprint: string,
  context: RequestContext,
): Promise<FoundKey> {
  const { executor } = database;
  const key = await findByPublicKey(executor, fingerprint);
  const item = key && (await findItems(executor, [key.uuid])).find(({ type }) => type === 'Private');
  if (!key || !item || key.token_uuid === null) throw noKey();
  const [contained] = await findContained(executor, [key.uuid]);
  if (!contained) throw noKey();
  assertMayExport(context, key, { item, contained });
  const profile = key.token_profile_uuid && (await tokens.requireProfile({ profileUuid: key.token_profile_uuid }));
  const problem = problemOfExport(key, item, profile || undefined);
  if (problem !== undefined) throw rejected(problem);
  if (item.reference === null) throw noKey();
  return { key: { ...key, token_uuid: key.token_uuid }, item: { ...item, reference: item.reference } };
}

const noKey = () => rejected('The certificate cannot be exported with its key: no token contains its private key.');

/** An exported key can be used without limits, so the caller must be permitted to do everything that it supports. */
function assertMayExport(
  context: RequestContext,
  key: KeyRow,
  { item, contained }: { readonly item: KeyItemRow; readonly contained: ContainedObject },
): void {
  const { actor } = context;
  if (!isHeldBy(contained, { actor, within: 'tokens' }))
    throw new AppError('access_denied', { resource: 'tokens', action: 'members' });
  requirePermission(context, { resource: 'keys', action: 'export', objects: [key.uuid] });
  for (const { usage } of [keyUses.sign, keyUses.decrypt])
    if (possibleUsages(item).includes(usage) && !isAccessibleBy(actor, usage, contained))
      requirePermission(context, { resource: 'keys', action: usage, objects: [key.uuid] });
  for (const action of ['detail', 'export'] as const) {
    if (key.token_uuid !== null) requirePermission(context, { resource: 'tokens', action, objects: [key.token_uuid] });
    if (key.token_profile_uuid !== null)
      requirePermission(context, { resource: 'tokenProfiles', action, objects: [key.token_profile_uuid] });
  }
}

/** Returns why the key cannot be exported, or undefined if it can. */
function problemOfExport(key: KeyRow, item: KeyItemRow, profile: TokenProfileRow | undefined): string | undefined {
  if (!key.exportable)
    return `The key ${key.name} cannot be exported: it was not created as exportable, which cannot be changed.`;
  if (!profile) return `The key ${key.name} has no token profile; assign one first.`;
  if (!profile.enabled) return `Token profile ${profile.name} is disabled; enable it first.`;
  const isUsable = [keyUses.sign, keyUses.decrypt].some(({ usage }) => (item.usages & keyUsageBit[usage]) !== 0);
  const noUsage = `The key ${key.name} is not permitted to sign or decrypt; add a usage first.`;
  return problemOfState(item) ?? (isUsable ? undefined : noUsage);
}

async function readPrivateKey({ connectors, tokens }: KeyExportParts, { key, item }: FoundKey): Promise<Uint8Array> {
  const { token } = await tokens.reach(key.token_uuid);
  return connectors.exportPrivateKey(token.connectorUuid, { token: token.connectorTokenUuid, key: item.reference });
}

/** A file with a different key would be useless, and would disclose a key that was not requested. */
async function assertMatches(pkcs8: Uint8Array, fingerprint: string, name: string): Promise<void> {
  const spki = exportPublicKey(await importPrivateKey(pkcs8));
  if (createHash('sha256').update(spki).digest('hex') === fingerprint) return;
  throw new Error(`The token returned a private key that does not belong to the key ${name}.`);
}

const noLongerExportable = (name: string) =>
  new AppError('invalid_state', {
    what: 'Key',
    name,
    state: 'no longer usable',
    needed: 'an active and enabled key',
  });
