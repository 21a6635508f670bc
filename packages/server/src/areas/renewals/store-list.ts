// List queries for renewals.
import { sql, type RawBuilder } from 'kysely';
import type { AutomaticRenewalState } from '@signetry/contract';
import { pageOffset, type Page, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AttemptRow, RenewalRow, RenewalTables } from './tables.ts';

export interface ListedRenewal extends RenewalRow {
  readonly common_name: string;
  readonly not_after: Date;
  readonly location_name: string | null;
  readonly entity_uuid: string | null;
  readonly profile_paused: boolean;
}

const listed = sql`
  SELECT r.*, c.common_name, c.not_after, l.name AS location_name, l.entity_uuid, coalesce(s.paused, false) AS profile_paused
  FROM renewal r JOIN certificate c ON c.uuid = r.certificate_uuid
  LEFT JOIN location l ON l.uuid = r.location_uuid
  LEFT JOIN renewal_setting s ON s.ra_profile_uuid = r.ra_profile_uuid`;

/** Upcoming renewals come first, in the order of their next attempt; past renewals follow, newest first. */
const inOrder = sql`
  ORDER BY r.state NOT IN ('planned', 'renewing'), CASE WHEN r.state IN ('planned', 'renewing') THEN r.next_at END,
    r.next_at DESC, r.uuid`;

export async function findPage(
  executor: Executor,
  { raProfileUuid, state, page }: { readonly raProfileUuid: string; readonly state: AutomaticRenewalState | undefined; readonly page: PageRequest }, // prettier-ignore
): Promise<Page<ListedRenewal>> {
  const isWanted: RawBuilder<boolean> = sql`r.ra_profile_uuid = ${raProfileUuid}::uuid
    AND ${state === undefined ? sql`true` : sql`r.state = ${state}`}`;
  const { rows } = await sql<ListedRenewal>`
    ${listed} WHERE ${isWanted} ${inOrder} LIMIT ${page.itemsPerPage} OFFSET ${pageOffset(page)}`.execute(executor);
  const counted = await sql<{ count: number }>`SELECT count(*)::int AS count FROM renewal r WHERE ${isWanted}`.execute(
    executor,
  );
  return { items: rows, totalItems: counted.rows[0]?.count ?? 0 };
}

/**
 * Returns a certificate's renewals. There can be more than one, because the certificate can be in multiple locations.
 */
export async function findByCertificate(executor: Executor, certificateUuid: string): Promise<ListedRenewal[]> {
  const { rows } = await sql<ListedRenewal>`
    ${listed} WHERE r.certificate_uuid = ${certificateUuid}::uuid ${inOrder}`.execute(executor);
  return rows;
}

/** Returns the attempts, newest first. */
export const findAttempts = (executor: Executor, certificateUuid: string, limit: number): Promise<AttemptRow[]> =>
  executor
    .withTables<RenewalTables>()
    .selectFrom('renewal_attempt')
    .selectAll()
    .where('certificate_uuid', '=', certificateUuid)
    .orderBy('started_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();
