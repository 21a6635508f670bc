// What is read and written when a key is used. Hot: it runs with every signature.
import type { TokenInstanceStatus } from '@signetry/contract';
import { hotStatement, runHot, type Executor } from '../../platform/database/database.ts';
import type { KeyEventRow, KeyItemRow } from './tables.ts';

/** An item with what its use depends on. */
export interface UsedItemRow extends Pick<
  KeyItemRow,
  'uuid' | 'key_uuid' | 'name' | 'reference' | 'type' | 'algorithm' | 'usages' | 'enabled' | 'state'
> {
  readonly key_name: string;
  readonly token_uuid: string;
  readonly profile_uuid: string;
  readonly profile_name: string;
  readonly profile_enabled: boolean;
  readonly token_status: TokenInstanceStatus;
  /** Base64 of the SubjectPublicKeyInfo of the public half. */
  readonly public_key: string | null;
}

const findUsedItem = hotStatement(
  'find_used_key_item',
  `SELECT i.uuid, i.key_uuid, i.name, i.reference, i.type, i.algorithm, i.usages, i.enabled, i.state,
     k.name AS key_name, k.token_uuid, p.uuid AS profile_uuid, p.name AS profile_name, p.enabled AS profile_enabled,
     t.status AS token_status,
     (SELECT o.key_data FROM key_item o WHERE o.key_uuid = i.key_uuid AND o.type = 'Public' LIMIT 1) AS public_key
   FROM key_item i JOIN key k ON k.uuid = i.key_uuid
     JOIN token t ON t.uuid = k.token_uuid JOIN token_profile p ON p.uuid = k.token_profile_uuid
   WHERE i.uuid = $1 AND i.key_uuid = $2`,
);

/** Undefined when there is none, or when its key has no token or no token profile. */
export async function findForUse(
  executor: Parameters<typeof runHot>[0],
  { itemUuid, keyUuid }: { readonly itemUuid: string; readonly keyUuid: string },
): Promise<UsedItemRow | undefined> {
  const [row] = await runHot<UsedItemRow>(executor, findUsedItem, [itemUuid, keyUuid]);
  return row;
}

const insertUses = hotStatement(
  'insert_key_uses',
  `WITH usable AS (
     SELECT uuid FROM key_item WHERE uuid = ANY($1::uuid[]) AND state = 'active' AND enabled ORDER BY uuid FOR SHARE
   )
   INSERT INTO key_event (uuid, item_uuid, created_at, created_by, event, status, message, additional)
   SELECT e.uuid, e.item_uuid, e.created_at, e.created_by, e.event, e.status, e.message, e.additional
   FROM json_to_recordset($2::json) AS e(uuid uuid, item_uuid uuid, created_at timestamptz, created_by text,
     event text, status text, message text, additional jsonb)
   JOIN usable u ON u.uuid = e.item_uuid
   RETURNING uuid`,
);

/**
 * Records uses of items that may still be used, and holds these until the transaction ends: what is taken out of use
 * waits for it, and what was taken out of use meanwhile is left out. Answers what was recorded.
 */
export async function recordUses(tx: Executor, events: readonly KeyEventRow[]): Promise<ReadonlySet<string>> {
  const items = [...new Set(events.map((event) => event.item_uuid))];
  const rows = await runHot<{ uuid: string }>(tx, insertUses, [items, JSON.stringify(events)]);
  return new Set(rows.map(({ uuid }) => uuid));
}
