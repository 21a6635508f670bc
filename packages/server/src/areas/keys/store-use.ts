// Reads and writes for key operations. This is a hot path: it runs for every signature.
import type { TokenInstanceStatus } from '@signetry/contract';
import { hotStatement, runHot, type HotExecutor } from '../../platform/database/database.ts';
import { auditInsertCte, auditInsertValue, withRecord, type AuditRecord } from '../audit/index.ts';
import type { KeyEventRow, KeyItemRow } from './tables.ts';

/** Item with all data that determines whether it can be used. */
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
  /** Public half as a SubjectPublicKeyInfo in Base64. */
  readonly public_key: string | null;
}

const findUsedItems = hotStatement(
  'find_used_key_items',
  `SELECT i.uuid, i.key_uuid, i.name, i.reference, i.type, i.algorithm, i.usages, i.enabled, i.state,
     k.name AS key_name, k.token_uuid, p.uuid AS profile_uuid, p.name AS profile_name, p.enabled AS profile_enabled,
     t.status AS token_status,
     (SELECT o.key_data FROM key_item o WHERE o.key_uuid = i.key_uuid AND o.type = 'Public' LIMIT 1) AS public_key
   FROM key_item i JOIN key k ON k.uuid = i.key_uuid
     JOIN token t ON t.uuid = k.token_uuid JOIN token_profile p ON p.uuid = k.token_profile_uuid
   WHERE i.uuid = ANY($1::uuid[])`,
);

/**
 * Returns one row per item, in the order of the UUIDs; undefined for an item that does not exist or whose key has no
 * token or token profile.
 */
export async function findForUse(
  executor: HotExecutor,
  itemUuids: readonly string[],
): Promise<readonly (UsedItemRow | undefined)[]> {
  const uuids = itemUuids.map((uuid) => uuid.toLowerCase());
  const rows = await runHot<UsedItemRow>(executor, findUsedItems, [[...new Set(uuids)]]);
  const byUuid = new Map(rows.map((row) => [row.uuid, row]));
  return uuids.map((uuid) => byUuid.get(uuid));
}

/** Records of a single use: a key history event, and an audit record unless a different operation writes one. */
export interface UseRecord {
  readonly event: KeyEventRow;
  readonly audit: AuditRecord | undefined;
}

/** Audit records of the uses that were recorded. `audit_place` is the position of an audit record in `$2`. */
const AUDIT_OF_USES = `(
  SELECT json_agg(entry.record) FROM json_array_elements($2::json) WITH ORDINALITY AS entry (record, place)
  JOIN use ON use.audit_place = entry.place JOIN usable ON usable.uuid = use.item_uuid)`;

const insertUses = hotStatement(
  'insert_key_uses',
  `WITH use AS (
     SELECT * FROM json_to_recordset($1::json) AS use (uuid uuid, item_uuid uuid, created_at timestamptz,
       created_by text, event text, status text, message text, additional jsonb, audit_place integer)
   ), usable AS (
     SELECT uuid FROM key_item WHERE uuid = ANY(ARRAY(SELECT item_uuid FROM use)) AND state = 'active' AND enabled
     ORDER BY uuid FOR SHARE
   ), recorded AS (
     INSERT INTO key_event (uuid, item_uuid, created_at, created_by, event, status, message, additional)
     SELECT use.uuid, use.item_uuid, use.created_at, use.created_by, use.event, use.status, use.message, use.additional
     FROM use JOIN usable ON usable.uuid = use.item_uuid
     RETURNING uuid
   ), ${auditInsertCte(AUDIT_OF_USES)}
   SELECT uuid FROM recorded`,
);

/**
 * Records the uses of items that are still usable, along with their audit records, and locks these items until the
 * commit: disabling an item waits for the lock, and items that have already been disabled are skipped. Returns whether
 * each use was recorded.
 */
export async function recordUses(executor: HotExecutor, uses: readonly UseRecord[]): Promise<readonly boolean[]> {
  const audit: AuditRecord[] = [];
  const rows = uses.map(({ event, audit: record }) => ({
    ...event,
    audit_place: record === undefined ? null : audit.push(record),
  }));
  const values = [JSON.stringify(rows), auditInsertValue(audit)];
  const recorded = await withRecord(() => runHot<{ uuid: string }>(executor, insertUses, values));
  const uuids = new Set(recorded.map(({ uuid }) => uuid));
  return uses.map(({ event }) => uuids.has(event.uuid));
}
