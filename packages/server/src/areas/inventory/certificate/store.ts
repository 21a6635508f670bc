// Read queries of the inventory: pages, details, history, contents. Columns of RA profiles and their authorities are
// joined, never written here.
import { sql } from 'kysely';
import { isUnlimited } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { compileFilter, type Expected, type SqlCondition } from '../../../platform/database/filter/compile.ts';
import {
  hasPrivateKey,
  isVisibleCertificate,
  TRUST_CHECK,
  TRUST_MISSING,
  type CertificateFilter,
  type CertificateRow,
  type HistoryRow,
} from '../../certificates/index.ts';
import { inventoryTables } from '../tables.ts';

const LISTED_COLUMNS = [
  'c.uuid', 'c.state', 'c.validation_status', 'c.compliance_status', 'c.certificate_type', 'c.common_name', 'c.subject_dn',
  'c.issuer_common_name', 'c.issuer_dn', 'c.serial_number', 'c.fingerprint', 'c.not_before', 'c.not_after',
  'c.public_key_algorithm', 'c.key_size', 'c.signature_algorithm', 'c.alt_public_key_algorithm', 'c.alt_signature_algorithm',
  'c.alt_key_size', 'c.hybrid_certificate', 'c.trusted_ca', 'c.issuer_certificate_uuid', 'c.issuer_serial_number',
  'c.ra_profile_uuid', 'c.owner_uuid', 'c.owner_username', 'c.archived', 'c.protocol', 'c.created_at',
  'c.revocation_awaits_approval', 'c.extended_key_usage',
  'p.name as profile_name', 'p.enabled as profile_enabled', 'p.authority_uuid as profile_authority_uuid',
] as const; // prettier-ignore

type AlternativeNames = CertificateRow['subject_alternative_names'];

/** Selects certificates (`c`) with the columns that lists show; `p` is their RA profile. */
export const listed = (executor: Executor) =>
  inventoryTables(executor)
    .selectFrom('certificate as c')
    .leftJoin('ra_profile as p', 'p.uuid', 'c.ra_profile_uuid')
    .select(LISTED_COLUMNS)
    // A certificate may have thousands of names; one is selected only if there is no common name to identify it.
    .select([
      sql<AlternativeNames | null>`CASE WHEN c.common_name = '' THEN c.subject_alternative_names END`.as(
        'names_without_common_name',
      ),
      sql<boolean>`(c.validation_status = 'invalid' AND coalesce(c.validation_result ->> ${sql.lit(TRUST_CHECK)} = ${sql.lit(TRUST_MISSING)}, false))`.as(
        'is_trust_missing',
      ),
      hasPrivateKey.as('has_private_key'),
    ]);

/** A certificate with the columns that lists show. */
export type ListedRow = Awaited<ReturnType<typeof findListed>>[number];

export const findListed = (executor: Executor, uuids: readonly string[]) =>
  listed(executor)
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

/** Returns certificates in the given order; those deleted in the meantime are omitted. */
export async function findInOrder(executor: Executor, keys: readonly string[]): Promise<ListedRow[]> {
  const rows = new Map((await findListed(executor, keys)).map((row) => [row.uuid, row]));
  return keys.flatMap((uuid) => rows.get(uuid) ?? []);
}

/** A certificate with the columns of an export. */
export type ExportedRow = Awaited<ReturnType<typeof findExported>>[number];

export const findExported = (executor: Executor, uuids: readonly string[]) =>
  listed(executor)
    .select('c.subject_alternative_names')
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

export interface Matching {
  readonly conditions: readonly SqlCondition[];
  readonly includeArchived: boolean;
  /** Certificates that the caller can see. */
  readonly visible: CertificateFilter;
}

/** Selects the certificates of a list, unordered. */
export const matching = (
  executor: Executor,
  { conditions, includeArchived, visible }: Matching,
  expected: Expected = 'many',
) =>
  inventoryTables(executor)
    .selectFrom('certificate as c')
    .where((build) => build.and(conditions.map((condition) => compileFilter(condition, expected))))
    .$if(!isUnlimited(visible.raProfiles), (query) => query.where(isVisibleCertificate(visible)))
    // Uses a literal instead of a parameter, because the planner can use the partial index only with a literal
    // condition.
    .$if(!includeArchived, (query) => query.where(sql<boolean>`NOT c.archived`));

/** A certificate with all columns of its row, content and RA profile. */
export type DetailRow = NonNullable<Awaited<ReturnType<typeof findDetail>>>;

export const findDetail = (executor: Executor, uuid: string) =>
  listed(executor)
    .leftJoin('certificate_content as content', 'content.fingerprint', 'c.fingerprint')
    .leftJoin('authority as a', 'a.uuid', 'p.authority_uuid')
    .select([
      'c.key_usage',
      'c.subject_type',
      'c.subject_alternative_names',
      'c.request_uuid',
      'c.public_key_fingerprint',
      'c.protocol_profile_uuid',
      'c.protocol_account_uuid',
      'c.revoked_at',
      'c.revocation_reason',
      'c.revocation_source',
      'content.der',
      'a.connector_uuid',
    ])
    .where('c.uuid', '=', uuid)
    .executeTakeFirst();

export const findProfileWithConnector = (executor: Executor, uuid: string) =>
  inventoryTables(executor)
    .selectFrom('ra_profile as p')
    .leftJoin('authority as a', 'a.uuid', 'p.authority_uuid')
    .select(['p.name', 'a.connector_uuid'])
    .where('p.uuid', '=', uuid)
    .executeTakeFirst();

/** Finds relations in both directions, newest first. */
export const findRelations = (executor: Executor, uuid: string) =>
  inventoryTables(executor)
    .selectFrom('certificate_relation')
    .selectAll()
    .where((build) => build.or([build('successor_uuid', '=', uuid), build('predecessor_uuid', '=', uuid)]))
    .orderBy('created_at', 'desc')
    .orderBy('successor_uuid', 'desc')
    .execute();

/** Returns history entries, newest first. */
export const findHistory = (executor: Executor, certificateUuid: string): Promise<HistoryRow[]> =>
  inventoryTables(executor)
    .selectFrom('certificate_history')
    .selectAll()
    .where('certificate_uuid', '=', certificateUuid)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();

export const findContents = (executor: Executor, uuids: readonly string[]) =>
  inventoryTables(executor)
    .selectFrom('certificate as c')
    .innerJoin('certificate_content as content', 'content.fingerprint', 'c.fingerprint')
    .select(['c.uuid', 'c.common_name', 'c.serial_number', 'content.der'])
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

/** Finds a certificate by content, for sign-in, upload and import; evidence of failed issuance is ignored. */
export const findByFingerprint = (executor: Executor, fingerprint: string) =>
  inventoryTables(executor)
    .selectFrom('certificate')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .where(sql<boolean>`state <> 'failed'`)
    .executeTakeFirst();
