// Exact totals without counting. The statistics counters, plus the deltas that have not been added to them yet, give
// the number of certificates for each value of a field. They are used for lists without a filter, lists with a single
// filter on such a field, and lists limited to the caller's RA profiles.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnlimited, showsAny, type ObjectFilter } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { SqlCondition } from '../../../platform/database/filter/compile.ts';
import { isShown } from '../../../platform/database/object-filter.ts';
import { isVisibleCertificate, type CertificateFilter } from '../../certificates/index.ts';
import { countByExpiry, expiryIn, type Expiry } from './store-expiry.ts';
import { countSelected, type Selection } from './store.ts';

/** Maps each filter field to its counter dimension, and to its value in a row of `certificate_count_delta`. */
const countedFields: Readonly<Record<string, readonly [dimension: string, value: string]>> = {
  CERTIFICATE_VALIDATION_STATUS: ['validationStatus', 'validation_status'],
  COMPLIANCE_STATUS: ['complianceStatus', 'compliance_status'],
  CERTIFICATE_TYPE: ['certificateType', 'certificate_type'],
  SUBJECT_TYPE: ['subjectType', `coalesce(subject_type, '')`],
  KEY_SIZE: ['keySize', 'key_size::text'],
  PUBLIC_KEY_ALGORITHM: ['publicKeyAlgorithm', 'public_key_algorithm'],
  SIGNATURE_ALGORITHM: ['signatureAlgorithm', `coalesce(signature_algorithm, '')`],
  CERTIFICATE_PROTOCOL: ['protocol', `coalesce(protocol, '')`],
};

/** Certificates with one of the values; all certificates if there are no values. */
interface CountQuery {
  readonly dimension: string;
  /** Expression for the value in a delta row, and the table of deltas. */
  readonly value: string;
  readonly deltas?: string;
  readonly values?: RawBuilder<readonly string[]>;
  /** Whether to count all other certificates instead. */
  readonly negated?: boolean;
}

const ALL: CountQuery = { dimension: 'certificateType', value: 'certificate_type' };

/** Returns the total, or undefined if the counters cannot determine it. */
export async function countedTotal(executor: Executor, selection: Selection): Promise<number | undefined> {
  const others = complementOf(selection);
  if (others) return (await countBy(executor, ALL, others.includeArchived)) - (await countSelected(executor, others));
  const expiry = expiryOf(selection);
  if (expiry) return countByExpiry(executor, expiry);
  const question = countQueryOf(selection);
  if (!question) return undefined;
  return countMatching(executor, question, selection.includeArchived);
}

async function countMatching(executor: Executor, question: CountQuery, includeArchived: boolean): Promise<number> {
  const total = await countBy(executor, question, includeArchived);
  return question.negated ? (await countBy(executor, ALL, includeArchived)) - total : total;
}

/** Returns the expiry range if it is the list's only filter. */
function expiryOf({ conditions, text, visible, includeArchived }: Selection): Expiry | undefined {
  const [condition, ...others] = conditions;
  if (!condition || others.length > 0 || text || includeArchived || !isUnlimited(visible.raProfiles)) return undefined;
  return expiryIn(condition);
}

/**
 * If the only filter matches certificates without rows in a related table, returns the complement, which is smaller.
 */
function complementOf(selection: Selection): Selection | undefined {
  const { conditions, text, visible } = selection;
  const [condition] = conditions;
  if (conditions.length !== 1 || text || !isUnlimited(visible.raProfiles)) return undefined;
  if (condition?.kind !== 'equals' || condition.field.reading.kind !== 'exists') return undefined;
  const { values, negated } = condition;
  if (values.includes(true) !== negated || values.includes(false) === negated) return undefined;
  return { ...selection, conditions: [{ ...condition, values: [true], negated: false }] };
}

function countQueryOf({ conditions, text, visible }: Selection): CountQuery | undefined {
  const [condition, ...others] = conditions;
  if (text || others.length > 0) return undefined;
  if (isUnlimited(visible.raProfiles)) return condition ? queryOfFilter(condition) : ALL;
  return condition ? undefined : queryOfMember(visible);
}

function queryOfFilter(condition: SqlCondition): CountQuery | undefined {
  if (condition.kind !== 'equals' || condition.field.source !== 'property') return undefined;
  const { identifier } = condition.field;
  const values = sql<readonly string[]>`${condition.values.map(String)}::text[]`;
  const { negated } = condition;
  if (identifier === 'RA_PROFILE_NAME')
    return { ...raProfiles(sql`ARRAY(SELECT uuid::text FROM ra_profile WHERE name = ANY (${values}))`), negated };
  if (identifier === 'GROUP_NAME')
    return negated || condition.values.length > 1
      ? undefined
      : group(sql`ARRAY(SELECT uuid::text FROM object_group WHERE name = ANY (${values}))`);
  // In the counters, an empty string means "no value"; in a filter, it is a literal value.
  const counted = condition.values.includes('') ? undefined : countedFields[identifier];
  return counted && { dimension: counted[0], value: counted[1], values, negated };
}

/** For members of RA profiles who see nothing as an owner or through a group, such as an access token with a scope. */
function queryOfMember({ raProfiles: shown, ownerUuid, groups }: CertificateFilter): CountQuery | undefined {
  return ownerUuid === null && !showsAny(groups) ? queryOfProfiles(shown) : undefined;
}

const queryOfProfiles = (shown: ObjectFilter): CountQuery =>
  shown.kind === 'only'
    ? raProfiles(sql`${[...shown.uuids]}::text[]`)
    : { ...raProfiles(sql`${[...shown.except]}::text[]`), negated: true };

/**
 * Returns the total for a user who sees certificates as an owner or through groups, in addition to those under the
 * user's RA profiles. The counters supply the number of the latter, so only the others are counted. Undefined for other
 * selections.
 */
export async function countForMember(executor: Executor, selection: Selection): Promise<number | undefined> {
  if (!isForMember(selection)) return undefined;
  const { visible, includeArchived } = selection;
  const known = countedPartOf(visible);
  const listed = includeArchived ? sql`` : sql`AND NOT c.archived`;
  const { rows } = await sql<{ total: number }>`
    SELECT count(*) AS total FROM certificate c WHERE ${isVisibleCertificate(known.rest)} ${listed}
      ${known.isCounted ? sql`AND NOT ${known.isCounted}` : sql``}`.execute(executor);
  const others = rows[0]?.total ?? 0;
  return others + (known.question ? await countMatching(executor, known.question, includeArchived) : 0);
}

/** Whether the selection is everything visible to a user with limited visibility. */
export const isForMember = ({ conditions, text, visible }: Selection): boolean =>
  conditions.length === 0 && !text && !isUnlimited(visible.raProfiles);

interface CountedPart {
  /** Certificates that the counters include, and the condition that identifies them. */
  readonly question?: CountQuery;
  readonly isCounted?: RawBuilder<SqlBool>;
  /** Certificates that are visible in other ways. */
  readonly rest: CertificateFilter;
}

function countedPartOf(visible: CertificateFilter): CountedPart {
  const { raProfiles: shown, groups, deniedGroups } = visible;
  const rest = { ...visible, raProfiles: NONE };
  if (showsAny(shown))
    return {
      question: queryOfProfiles(shown),
      isCounted: sql`coalesce(${isShown(sql`c.ra_profile_uuid`, shown)}, false)`,
      rest,
    };
  const [only, ...others] = groups.kind === 'only' && deniedGroups.length === 0 ? groups.uuids : [];
  if (only === undefined || others.length > 0) return { rest };
  return {
    question: group(sql`ARRAY[${only}::text]`),
    isCounted: sql`EXISTS (SELECT FROM group_membership m WHERE m.object_resource = 'certificates'
      AND m.object_uuid = c.uuid AND m.group_uuid = ${only}::uuid)`,
    rest: { ...rest, groups: NONE },
  };
}

const NONE: ObjectFilter = { kind: 'only', uuids: new Set() };

const raProfiles = (values: RawBuilder<readonly string[]>): CountQuery => ({
  dimension: 'raProfile',
  value: `coalesce(ra_profile_uuid::text, '')`,
  values,
});

/** Supports only a single group, because a certificate may be in multiple groups. */
const group = (values: RawBuilder<readonly string[]>): CountQuery => ({
  dimension: 'group',
  value: `coalesce(group_uuid::text, '')`,
  deltas: 'certificate_group_delta',
  values,
});

/** Uses one statement, so that counters and deltas are read in the same snapshot. */
async function countBy(
  executor: Executor,
  { dimension, value, deltas = 'certificate_count_delta', values }: CountQuery,
  includeArchived: boolean,
): Promise<number> {
  const among = (text: RawBuilder<unknown>) => (values ? sql`AND ${text} = ANY (${values})` : sql``);
  const shown = includeArchived ? sql`true` : sql`NOT archived`;
  const { rows } = await sql<{ total: number }>`SELECT coalesce(sum(certificates), 0)::bigint AS total FROM (
      SELECT certificates FROM certificate_count
      WHERE dimension = ${dimension}::text AND ${shown} ${among(sql`value`)}
      UNION ALL
      SELECT certificates FROM ${sql.raw(deltas)} WHERE ${shown} ${among(sql.raw(value))}) AS counted`.execute(
    executor,
  );
  return rows[0]?.total ?? 0;
}
