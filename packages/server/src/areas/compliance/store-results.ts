// Stores each object's latest check result. Objects with the same rule outcomes share one outcome list.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { tables } from './store.ts';
import type { FailedRule, ResultRow, Subject } from './tables.ts';

const columnOf = {
  certificates: 'certificate_uuid',
  certificateRequests: 'request_uuid',
  keys: 'key_item_uuid',
} as const satisfies Record<Subject, keyof ResultRow>;
const tableOf = {
  certificates: 'certificate',
  certificateRequests: 'certificate_request',
  keys: 'key_item',
} as const satisfies Record<Subject, string>;

export interface StoredResult extends Pick<ResultRow, 'status' | 'message' | 'rules'> {
  readonly subject: Subject;
  readonly objectUuid: string;
}

/** Stores results, except for objects deleted in the meantime. Returns the objects whose result has changed. */
export async function storeResults(
  tx: Executor,
  results: readonly StoredResult[],
  at: Date,
): Promise<ReadonlySet<string>> {
  const listOf = await storeLists(tx, results, at);
  const changed = new Set<string>();
  for (const [subject, ofSubject] of Map.groupBy(results, (result) => result.subject)) {
    const column = sql.ref(columnOf[subject]);
    const rows = ofSubject.map((result) => ({
      uuid: newUuid(),
      object: result.objectUuid,
      status: result.status,
      message: result.message,
      list: listOf(result.rules).toString('base64'),
    }));
    // Rows are locked in a fixed order, so that concurrent checks do not deadlock.
    const { rows: others } = await sql<{ object: string }>`
      WITH before AS (
        SELECT ${column} AS object, status, rule_list FROM compliance_result
        WHERE ${column} = ANY (${ofSubject.map(({ objectUuid }) => objectUuid)}::uuid[])
      ), kept AS (
      INSERT INTO compliance_result (uuid, ${column}, checked_at, status, message, rule_list)
      SELECT r.uuid, o.uuid, ${at}, r.status, r.message, decode(r.list, 'base64')
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r (uuid uuid, object uuid, status text, message text, list text)
      JOIN ${sql.table(tableOf[subject])} o ON o.uuid = r.object
      ORDER BY o.uuid
      ON CONFLICT (${column}) DO UPDATE SET checked_at = EXCLUDED.checked_at, status = EXCLUDED.status,
        message = EXCLUDED.message, rule_list = EXCLUDED.rule_list
      RETURNING ${column} AS object, status, rule_list
      ) SELECT kept.object FROM kept LEFT JOIN before ON before.object = kept.object
        AND before.status = kept.status AND before.rule_list = kept.rule_list
      WHERE before.object IS NULL`.execute(tx);
    for (const { object } of others) changed.add(object);
  }
  return changed;
}

type Lists = readonly Pick<StoredResult, 'rules'>[];

/** Locks existing lists until the transaction ends; otherwise they could be deleted before they are referenced. */
async function storeLists(tx: Executor, results: Lists, at: Date): Promise<(rules: readonly FailedRule[]) => Buffer> {
  const texts = new Map([...new Set(results.map(({ rules }) => rules))].map((rules) => [rules, JSON.stringify(rules)]));
  const digests = new Map([...new Set(texts.values())].map((text) => [text, digestOf(text)]));
  const { rows } = await sql<{ digest: Buffer }>`
    SELECT digest FROM compliance_rule_list WHERE digest = ANY(${[...digests.values()]}::bytea[])
    ORDER BY digest FOR KEY SHARE`.execute(tx);
  const known = new Set(rows.map(({ digest }) => digest.toString('hex')));
  const missing = [...digests].filter(([, digest]) => !known.has(digest.toString('hex')));
  for (const [text, digest] of missing.toSorted(([, one], [, other]) => one.compare(other)))
    await sql`
      INSERT INTO compliance_rule_list (digest, rules, created_at) VALUES (${digest}, ${text}::jsonb, ${at})
      ON CONFLICT DO NOTHING`.execute(tx);
  return (rules) => {
    const digest = digests.get(texts.get(rules) ?? '');
    if (!digest) throw new Error('Every rule list must have a digest.');
    return digest;
  };
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Deletes lists stored before this time that no result references. */
export const forgetLists = (executor: Executor, before: Date): Promise<unknown> =>
  sql`
    DELETE FROM compliance_rule_list l WHERE l.created_at < ${before}
      AND NOT EXISTS (SELECT FROM compliance_result r WHERE r.rule_list = l.digest)`.execute(executor);

export const findResults = (executor: Executor, subject: Subject, uuids: readonly string[]): Promise<ResultRow[]> =>
  tables(executor)
    .selectFrom('compliance_result as r')
    .innerJoin('compliance_rule_list as l', 'l.digest', 'r.rule_list')
    .select(['r.uuid', 'r.certificate_uuid', 'r.request_uuid', 'r.key_item_uuid'])
    .select(['r.checked_at', 'r.status', 'r.message', 'l.rules'])
    .where(`r.${columnOf[subject]}`, '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();
