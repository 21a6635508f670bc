// Enrollment requests for administrators.
import type { EnrollmentDto, EnrollmentPage } from '@signetry/contract';
import { visibleObjects, type RequestContext } from '../../kernel/actor.ts';
import { pageFacts, pageOffset, readPage, type PageRequest } from '../../kernel/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { countListed, findListed, type EnrollmentListing, type ListedRow } from './store-list.ts';

export type EnrollmentQuery = PageRequest & Omit<EnrollmentListing, 'raProfiles'>;

export async function listEnrollments(
  { database: { executor } }: Pick<Platform, 'database'>,
  query: EnrollmentQuery,
  { actor }: RequestContext,
): Promise<EnrollmentPage> {
  const page = readPage(query);
  const listing = { ...query, raProfiles: visibleObjects(actor.permissions, 'raProfiles', 'list') };
  const offset = pageOffset(page);
  const rows = await findListed(executor, listing, { offset, limit: page.itemsPerPage });
  // A page that is not full is the last one, unless it is beyond the end.
  const isLast = rows.length < page.itemsPerPage && (rows.length > 0 || offset === 0);
  const totalItems = isLast ? offset + rows.length : await countListed(executor, listing);
  return { ...pageFacts(page, totalItems), enrollments: rows.map(present) };
}

const present = (row: ListedRow): EnrollmentDto => ({
  uuid: row.uuid,
  protocol: row.protocol,
  profileUuid: row.profile_uuid,
  profileName: row.profile_name,
  raProfileUuid: row.ra_profile_uuid ?? undefined,
  transactionId: row.transaction_id,
  kind: row.kind,
  requester: row.requester,
  subject: row.subject,
  state: row.shown_state,
  problem: row.problem ?? undefined,
  address: row.address ?? undefined,
  certificateUuid: row.certificate_uuid ?? undefined,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
