// Enrollment requests for lists, newest first. A waiting request is shown with the state of its certificate.
import type { EnrollmentState, ListedProtocol } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { ObjectFilter } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import { likePattern } from '../../platform/database/filter/compile.ts';
import { isShown } from '../../platform/database/object-filter.ts';
import type { EnrollmentRow } from './tables.ts';

export interface EnrollmentListing {
  readonly raProfiles: ObjectFilter;
  readonly protocol?: ListedProtocol | undefined;
  readonly profileUuid?: string | undefined;
  readonly raProfileUuid?: string | undefined;
  readonly state?: EnrollmentState | undefined;
  readonly text?: string | undefined;
}

const shownState = sql<EnrollmentState>`CASE WHEN e.state = 'refused' THEN e.state
  WHEN c.state = 'revoked' THEN 'revoked' WHEN e.state <> 'waiting' THEN e.state WHEN c.state = 'issued' THEN 'issued'
  WHEN c.state IN ('failed', 'rejected') THEN 'refused' ELSE e.state END`;

export type ListedRow = EnrollmentRow & { readonly shown_state: EnrollmentState };

export async function findListed(
  executor: Executor,
  listing: EnrollmentListing,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    SELECT e.*, ${shownState} AS shown_state FROM enrollment e LEFT JOIN certificate c ON c.uuid = e.certificate_uuid
    WHERE ${isListed(listing)} ORDER BY e.uuid DESC LIMIT ${limit} OFFSET ${offset}`.execute(executor);
  return rows;
}

export async function countListed(executor: Executor, listing: EnrollmentListing): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM enrollment e LEFT JOIN certificate c ON c.uuid = e.certificate_uuid
    WHERE ${isListed(listing)}`.execute(executor);
  return rows[0]?.count ?? 0;
}

function isListed({ raProfiles, protocol, profileUuid, raProfileUuid, state, text }: EnrollmentListing) {
  const conditions: RawBuilder<SqlBool>[] = [isShown(sql`e.ra_profile_uuid`, raProfiles)];
  if (protocol !== undefined) conditions.push(sql`e.protocol = ${protocol}`);
  if (profileUuid !== undefined) conditions.push(sql`e.profile_uuid = ${profileUuid}::uuid`);
  if (raProfileUuid !== undefined) conditions.push(sql`e.ra_profile_uuid = ${raProfileUuid}::uuid`);
  if (state !== undefined) conditions.push(sql`${shownState} = ${state}`);
  if (text !== undefined && text !== '') {
    const pattern = likePattern(text, 'anywhere');
    conditions.push(
      sql`(e.subject ILIKE ${pattern} OR e.requester ILIKE ${pattern} OR e.transaction_id ILIKE ${pattern}
        OR e.address ILIKE ${pattern})`,
    );
  }
  return sql.join(conditions, sql` AND `);
}
