// Creation and revocation of external account binding keys (RFC 8555 §7.3.4) by operators. The MAC key is shown once.
import type { AcmeEabKey, AcmeEabKeyRequest } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import { isForeignKeyViolation } from '../../../platform/database/database-errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { problemsOfNamePolicy, storedNamePolicy } from '../name-policy.ts';
import type { AcmeEabKeyRow } from './tables.ts';
import { randomKeyText } from './key-text.ts';
import { presentEabKey } from './present.ts';
import { sealMacKey } from './sealed-key.ts';
import * as store from './store.ts';

/** Length of an HS512 digest, the longest that clients can choose (RFC 7518 §3.2). */
const MAC_KEY_BYTES = 64;
const KEY_ID_BYTES = 16;

/** Newly created key. */
export interface IssuedEabKey {
  readonly key: AcmeEabKey;
  /** MAC key in Base64url, the form in which it is configured in clients. */
  readonly macKey: Secret;
}

export interface EabKeyParts {
  readonly audit: AuditTrail;
  /** Throws 404 if there is no such profile. */
  readonly nameOfProfile: (acmeProfileUuid: string) => Promise<string>;
}

export type EabKeyManagement = ReturnType<typeof createEabKeyManagement>;

export function createEabKeyManagement(platform: Platform, { audit, nameOfProfile }: EabKeyParts) {
  const { database, clock } = platform;

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
    const macKey = randomKeyText(MAC_KEY_BYTES);
    const row = newRow(platform, { acmeProfileUuid, request, macKey, createdBy: context.actor.username ?? 'signetry' });
    try {
      await database.transaction(async (tx) => {
        await store.insert(tx, row);
        await record(tx, { row, name }, context);
      });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound('ACME profile', acmeProfileUuid);
      throw error;
    }
    return { key: presentEabKey(row, row.created_at), macKey: new Secret(macKey) };
  }

  /** Revokes the key. Accounts created with it remain; repeating the call has no effect. */
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
      data: {
        externalAccountKey: {
          uuid: row.uuid,
          keyId: row.key_id,
          reusable: row.reusable,
          ...(row.name_policy === null ? {} : { namePolicy: row.name_policy }),
        },
      },
    });

  return { list, create, revoke };
}

function newRow(
  { clock, sealer }: Platform,
  facts: {
    readonly acmeProfileUuid: string;
    readonly request: AcmeEabKeyRequest;
    readonly macKey: string;
    readonly createdBy: string;
  },
): AcmeEabKeyRow {
  const { acmeProfileUuid, request, macKey, createdBy } = facts;
  const [uuid, now] = [newUuid(), clock.now()];
  const problems = problemsOfNamePolicy(request.namePolicy);
  if (problems.length > 0) throw rejected(...problems);
  const expiresAt = request.expiresAt === undefined ? null : new Date(request.expiresAt);
  if (expiresAt !== null && expiresAt <= now)
    throw rejected(`The key would expire at ${expiresAt.toISOString()}, which is in the past.`);
  return {
    uuid,
    acme_profile_uuid: acmeProfileUuid,
    key_id: randomKeyText(KEY_ID_BYTES),
    description: request.description || null,
    sealed_mac_key: sealMacKey(sealer, uuid, Buffer.from(macKey, 'base64url')),
    reusable: request.reusable,
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
    accounts_bound: 0,
    created_at: now,
    created_by: createdBy,
    name_policy: storedNamePolicy(request.namePolicy),
  };
}
