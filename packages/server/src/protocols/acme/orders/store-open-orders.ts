// Counts an account's open orders, using the index acme_order_open.
import { hotStatement, runHot, type HotExecutor } from '../../../platform/database/database.ts';

const COUNT = hotStatement(
  'acme_count_open_orders',
  `SELECT count(*)::integer AS open FROM (
     SELECT FROM acme_order WHERE account_uuid = $1::uuid AND status = 'pending' AND expires_at > $2::timestamptz LIMIT $3::integer) part`,
);

/** Counts pending or ready orders that have not expired, up to `atMost`. */
export async function countOpenOrders(
  executor: HotExecutor,
  facts: { readonly accountUuid: string; readonly now: Date; readonly atMost: number },
): Promise<number> {
  const [row] = await runHot<{ open: number }>(executor, COUNT, [facts.accountUuid, facts.now, facts.atMost]);
  return row?.open ?? 0;
}
