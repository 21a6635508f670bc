// Keys of external account binding (RFC 8555 §7.3.4): made and revoked by operators, used by clients for new accounts. The MAC
// key is shown once and kept sealed, since it has to be computed with.
import type { AcmeEabKey, AcmeEabKeyRequest, AcmeEabKeyState } from '@signetry/contract';
import type { AuditTrail } from '../../audit/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts';
import { isForeignKeyViolation } from '../../../platform/database/database-errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AcmeEabKeyRow } from '../tables.ts';
import { randomKeyText } from './key-text.ts';
import { presentEabKey, stateOf } from './present.ts';
import * as store from './store.ts';

/** HMAC-SHA-256 is as strong as its output is long (RFC 2104 §3). */
const MAC_KEY_BYTES = 32;
const KEY_ID_BYTES = 16;
/** Key identifiers come from strangers; others than ours need no look-up. */
const KEY_ID = /^[\w-]{22}$/;

/** A key just made. */
export interface IssuedEabKey {
  readonly key: AcmeEabKey;
  /** In base64url, as clients are configured with it. */
  readonly macKey: Secret;
}

/** A key that a client may make an account with, or why it may not. */
export type EabKeyLookup =
  | { readonly uuid: string; readonly macKey: Uint8Array }
  | { readonly reason: 'unknown' | Exclude<AcmeEabKeyState, 'usable'> };

export type EabKeys = ReturnType<typeof createEabKeys>;

export interface EabKeyParts {
  readonly audit: AuditTrail;
  /** 404 when there is no such profile. */
  readonly nameOfProfile: (acmeProfileUuid: string) => Promise<string>;
}

export function createEabKeys(platform: Platform, { audit, nameOfProfile }: EabKeyParts) {
  const { database, clock, sealer } = platform;

  async function list(acmeProfileUuid: string): Promise<AcmeEabKey[]> {
    await nameOfProfile(acmeProfileUuid);
    const now = clock.now();
    return (await store.findAll(database.executor, acmeProfileUuid)).map((row) => presentEabKey(row, now));
  }

  async function create(
    acmeProfileUuid: string,
    request: AcmeEabKeyRequest,
    context: RequestContext,
  ): Promise<IssuedEabKey> {
    const name = await nameOfProfile(acmeProfileUuid);
    const now = clock.now();
    const expiresAt = request.expiresAt === undefined ? null : new Date(request.expiresAt);
    if (expiresAt !== null && expiresAt <= now)
      throw rejected(`The key would expire at ${expiresAt.toISOString()}, which is over already.`);
    const macKey = randomKeyText(MAC_KEY_BYTES);
    const uuid = newUuid();
    const row: AcmeEabKeyRow = {
      uuid,
      acme_profile_uuid: acmeProfileUuid,
      key_id: randomKeyText(KEY_ID_BYTES),
      description: request.description || null,
      sealed_mac_key: Buffer.from(sealer.seal(Buffer.from(macKey, 'base64url'), purposeOf(uuid))).toString('base64'),
      reusable: request.reusable,
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
      accounts_bound: 0,
      created_at: now,
      created_by: context.actor.username ?? 'signetry',
    };
    try {
      await database.transaction(async (tx) => {
        await store.insert(tx, row);
        await record(tx, { row, name }, context);
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound('ACME profile', acmeProfileUuid);
      throw error;
    }
    return { key: presentEabKey(row, now), macKey: new Secret(macKey) };
  }

  /** Accounts that were made with the key stay. Revoking once more changes nothing. */
  async function revoke(
    { acmeProfileUuid, keyUuid }: { readonly acmeProfileUuid: string; readonly keyUuid: string },
    context: RequestContext,
  ): Promise<void> {
    const name = await nameOfProfile(acmeProfileUuid);
    await database.transaction(async (tx) => {
      const row = await store.lock(tx, { uuid: keyUuid, acmeProfileUuid });
      if (!row) throw notFound('External account key', keyUuid);
      if (row.revoked_at !== null) return;
      await store.revoke(tx, row.uuid, clock.now());
      await record(tx, { row, name }, context);
    });
  }

  const record = (
    tx: Executor,
    { row, name }: { readonly row: AcmeEabKeyRow; readonly name: string },
    context: RequestContext,
  ): Promise<void> =>
    audit.append(tx, context, {
      objects: [{ uuid: row.acme_profile_uuid, name }],
      data: { externalAccountKey: { uuid: row.uuid, keyId: row.key_id, reusable: row.reusable } },
    });

  /** Looks a key up that a client names. That it is usable holds for now; `bind` decides. */
  async function findUsable(
    keyId: string,
    { acmeProfileUuid, now }: { readonly acmeProfileUuid: string; readonly now: Date },
  ): Promise<EabKeyLookup> {
    const row = KEY_ID.test(keyId) ? await store.findByKeyId(database.executor, { keyId, acmeProfileUuid }) : undefined;
    if (!row) return { reason: 'unknown' };
    const state = stateOf(row, now);
    if (state !== 'usable') return { reason: state };
    return { uuid: row.uuid, macKey: sealer.open(Buffer.from(row.sealed_mac_key, 'base64'), purposeOf(row.uuid)) };
  }

  return {
    list,
    create,
    revoke,
    findUsable,
    /** Counts the account that the transaction makes; false when the key cannot be used (any more). */
    bind: (tx: Executor, uuid: string, { now }: { readonly now: Date }): Promise<boolean> => store.bind(tx, uuid, now),
  };
}

/** A sealed key opens only at the row it was made for. */
const purposeOf = (uuid: string): string => `acme external account key ${uuid}`;

export const eabKeyColumn: SealedColumn = {
  table: 'acme_eab_key',
  key: 'uuid',
  keyType: 'uuid',
  column: 'sealed_mac_key',
  form: 'base64',
  purpose: ({ uuid = '' }) => purposeOf(uuid),
};
