// Reads certificates for validation and stores verdicts.
import { sql } from 'kysely';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { ValidationDefaults } from '../settings/index.ts';
import type { CertificateRow } from '../certificates/index.ts';
import { validationTables } from './tables.ts';

/** Certificate data on which validation depends, with the DER encoding. */
export type ValidationRow = Awaited<ReturnType<typeof findForValidation>>[number];

export const findForValidation = (executor: Executor, uuids: readonly string[]) =>
  rowsForValidation(executor)
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();

/** Returns the certificates that follow the given one in primary key order, without archived ones. */
export const findNextForValidation = (
  executor: Executor,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ValidationRow[]> =>
  rowsForValidation(executor)
    .where('c.uuid', '>', after ?? BEFORE_ALL)
    // A literal instead of a parameter, because otherwise the planner does not use the partial index.
    .where(sql<boolean>`NOT c.archived`)
    .orderBy('c.uuid')
    .limit(limit)
    .execute();

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const rowsForValidation = (executor: Executor) =>
  validationTables(executor)
    .selectFrom('certificate as c')
    .leftJoin('ra_profile as p', 'p.uuid', 'c.ra_profile_uuid')
    .leftJoin('certificate_content as content', 'content.fingerprint', 'c.fingerprint')
    .select([
      'c.uuid',
      'c.state',
      'c.archived',
      'c.common_name',
      'c.subject_dn',
      'c.trusted_ca',
      'c.validation_status',
      'c.validation_result',
      'c.validated_at',
      'c.revoked_at',
      'c.revocation_reason',
      'c.revocation_source',
      'c.revocation_stated_at',
      'c.issuer_certificate_uuid',
      'c.issuer_dn_normalized',
      'content.der',
      'p.name as profile_name',
      'p.validation_enabled',
      'p.validation_expiring_threshold_days',
    ]); // prettier-ignore

/** Returns the status of each check, as written by `storeValidations`. */
export const storedChecks = ({ validation_result: stored }: ValidationRow): Readonly<Record<string, string>> =>
  (stored ?? {}) as Record<string, string>;

export interface DueQuery {
  readonly now: Date;
  readonly limit: number;
  readonly defaults: Pick<ValidationDefaults, 'enabled' | 'frequencyDays'>;
}

/**
 * Returns issued certificates whose last check is older than their RA profile or the settings allow, oldest first.
 * Certificates that were never checked are read separately, because they form a separate range of the index.
 */
export async function findDueForValidation(executor: Executor, { now, limit, defaults }: DueQuery): Promise<string[]> {
  const candidates = validationTables(executor)
    .selectFrom('certificate as c')
    .leftJoin('ra_profile as p', 'p.uuid', 'c.ra_profile_uuid')
    .select('c.uuid')
    .where(sql<boolean>`NOT c.archived AND c.state = 'issued' AND coalesce(p.validation_enabled, ${defaults.enabled})`)
    .limit(limit);
  const never = await candidates.where('c.validated_at', 'is', null).execute();
  const older = await candidates
    .innerJoin('certificate_check as k', 'k.certificate_uuid', 'c.uuid')
    .where('c.validation_status', 'not in', ['revoked', 'expired'])
    .where('k.checked_at', '<', new Date(now.getTime() - SHORTEST_FREQUENCY_MS))
    .where(
      sql<boolean>`k.checked_at < ${now}::timestamptz
        - make_interval(days => coalesce(CASE WHEN p.validation_enabled THEN p.validation_frequency_days END,
            ${defaults.frequencyDays}::integer))`,
    )
    .orderBy('k.checked_at')
    .execute();
  return [...never, ...older].slice(0, limit).map(({ uuid }) => uuid);
}

/** Minimum interval between checks, since frequencies are whole days. */
const SHORTEST_FREQUENCY_MS = 86_400_000;

/** Counts certificates that are not archived. */
export async function countCertificates(executor: Executor): Promise<number> {
  const { total } = await validationTables(executor)
    .selectFrom('certificate as c')
    // A literal instead of a parameter, because otherwise the planner does not use the partial index.
    .where(sql<boolean>`NOT c.archived`)
    .select((build) => build.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

export interface ValidationChange {
  readonly uuid: string;
  readonly status: CertificateRow['validation_status'];
  /** Status by check. Messages are not stored, to keep rows small; they are regenerated on request. */
  readonly checks: Readonly<Record<string, string>>;
  /** When time alone next changes the status. */
  readonly dueAt: Date | undefined;
  /** State on which the verdict is based. If it has changed since, the verdict is not stored. */
  readonly seen: Pick<CertificateRow, 'state' | 'trusted_ca' | 'archived'>;
}

/**
 * Returns the certificates whose verdicts were stored. Rows are locked in a fixed order, so that writers do not
 * deadlock.
 */
export async function storeValidations(
  tx: Executor,
  changes: readonly ValidationChange[],
  at: Date,
): Promise<ReadonlySet<string>> {
  if (changes.length === 0) return new Set();
  const all = <Value>(value: (change: ValidationChange) => Value): Value[] => changes.map(value);
  const { rows } = await sql<{ uuid: string }>`
    WITH given AS (
      SELECT * FROM unnest(${all(({ uuid }) => uuid)}::uuid[], ${all(({ status }) => status)}::text[],
        ${all(({ checks }) => JSON.stringify(checks))}::jsonb[], ${all(({ dueAt }) => dueAt ?? null)}::timestamptz[],
        ${all(({ seen }) => seen.state)}::text[], ${all(({ seen }) => seen.archived)}::boolean[],
        ${all(({ seen }) => seen.trusted_ca)}::boolean[])
      AS given (uuid, status, checks, due_at, state, archived, trusted_ca)),
    locked AS (
      SELECT c.uuid FROM given JOIN certificate c ON c.uuid = given.uuid
      WHERE c.state = given.state AND c.archived = given.archived AND c.trusted_ca IS NOT DISTINCT FROM given.trusted_ca
      ORDER BY c.uuid FOR NO KEY UPDATE OF c),
    stored AS (
      UPDATE certificate c
      SET validation_status = given.status, validation_result = given.checks, validated_at = ${at}
      FROM locked JOIN given ON given.uuid = locked.uuid WHERE c.uuid = locked.uuid
      RETURNING c.uuid, given.due_at)
    INSERT INTO certificate_check AS known (certificate_uuid, checked_at, due_at)
    SELECT uuid, ${at}::timestamptz, due_at FROM stored ORDER BY uuid
    ON CONFLICT (certificate_uuid) DO UPDATE SET checked_at = excluded.checked_at, due_at = excluded.due_at
    RETURNING certificate_uuid AS uuid`.execute(tx);
  return new Set(rows.map(({ uuid }) => uuid));
}

/**
 * Links a certificate to an issuer that was imported later, and flags it if the issuer already has a different
 * certificate with the same serial number. If the issuer had revoked it, a trigger revokes it, and its history records
 * this.
 */
export async function linkIssuer(
  tx: Executor,
  uuid: string,
  issuer: { readonly uuid: string; readonly serialNumber: string; readonly at: Date },
): Promise<void> {
  await sql`
    WITH tied AS (
      UPDATE certificate c SET issuer_certificate_uuid = ${issuer.uuid}, issuer_serial_number = ${issuer.serialNumber},
        repeats_serial = EXISTS (
          SELECT FROM certificate other WHERE other.issuer_certificate_uuid = ${issuer.uuid}
            AND other.serial_number = c.serial_number AND other.state <> 'failed')
      FROM (SELECT uuid, state FROM certificate WHERE uuid = ${uuid}) AS before
      WHERE c.uuid = before.uuid AND c.issuer_certificate_uuid IS DISTINCT FROM ${issuer.uuid}::uuid
      RETURNING c.uuid, c.state, c.revoked_at, c.revocation_reason, before.state AS state_before)
    INSERT INTO certificate_history (uuid, certificate_uuid, event, status, message, created_at, created_by)
    SELECT ${newUuid()}, uuid, 'Update State', 'SUCCESS',
      'Revoked by its issuer on ' || to_char(revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') || ', reason ' || revocation_reason,
      ${issuer.at}, 'signetry'
    FROM tied WHERE state = 'revoked' AND state_before = 'issued'`.execute(tx);
}

export interface FoundRevocation {
  readonly uuid: string;
  readonly revokedAt: Date;
  readonly reason: NonNullable<CertificateRow['revocation_reason']>;
  readonly source: string;
  readonly statedAt: Date;
}

/** Revokes locked certificates with the issuer's data; revocations made on the platform remain unchanged. */
export async function markFoundRevoked(tx: Executor, found: readonly FoundRevocation[], at: Date): Promise<void> {
  if (found.length === 0) return;
  const all = <Value>(value: (each: FoundRevocation) => Value): Value[] => found.map(value);
  await sql`
    UPDATE certificate c
    SET state = 'revoked', validation_status = 'revoked', revoked_at = found.revoked_at, revocation_reason = found.reason,
      revocation_source = found.source, revocation_stated_at = found.stated_at, updated_at = ${at}
    FROM unnest(${all(({ uuid }) => uuid)}::uuid[], ${all(({ revokedAt }) => revokedAt)}::timestamptz[],
      ${all(({ reason }) => reason)}::text[], ${all(({ source }) => source)}::text[],
      ${all(({ statedAt }) => statedAt)}::timestamptz[]) AS found (uuid, revoked_at, reason, source, stated_at)
    WHERE c.uuid = found.uuid AND (c.state = 'issued' OR (c.state = 'revoked' AND c.revocation_source IS NOT NULL))`.execute(
    tx,
  );
}

/** Changes locked certificates from revoked to issued after their issuer has stated that they are no longer revoked. */
export async function markFoundReleased(tx: Executor, uuids: readonly string[], at: Date): Promise<void> {
  if (uuids.length === 0) return;
  await sql`
    UPDATE certificate
    SET state = 'issued', revoked_at = NULL, revocation_reason = NULL, revocation_source = NULL,
      revocation_stated_at = NULL, updated_at = ${at}
    WHERE uuid = ANY(${uuids}::uuid[]) AND state = 'revoked' AND revocation_source IS NOT NULL`.execute(tx);
}
