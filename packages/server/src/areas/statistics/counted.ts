// What certificates are counted by, as text of SQL: the columns of `certificate_count_delta` (migration 0010-statistics).
// Everything that moves, reads or compares counters is put together from here.

/** Dimension to its column and to the text of its values; the empty text stands for none. */
const dimensions = {
  state: ['state', 'state'],
  validationStatus: ['validation_status', 'validation_status'],
  complianceStatus: ['compliance_status', 'compliance_status'],
  certificateType: ['certificate_type', 'certificate_type'],
  subjectType: ['subject_type', `coalesce(subject_type, '')`],
  keySize: ['key_size', 'key_size::text'],
  publicKeyAlgorithm: ['public_key_algorithm', 'public_key_algorithm'],
  signatureAlgorithm: ['signature_algorithm', `coalesce(signature_algorithm, '')`],
  protocol: ['protocol', `coalesce(protocol, '')`],
  raProfile: ['ra_profile_uuid', `coalesce(ra_profile_uuid::text, '')`],
  issuedOn: ['issued_on', `coalesce(to_char(issued_on, 'YYYY-MM-DD'), '')`],
} as const;

/** `group` has the identifier of a group as its value; the empty value are certificates that are in any. */
export type Dimension = keyof typeof dimensions | 'group';

const each = (text: (dimension: string, column: string, value: string) => string, separator: string): string =>
  Object.entries(dimensions)
    .map(([dimension, [column, value]]) => text(dimension, column, value))
    .join(separator);

const DAY_OF_END = `(expiry_hour AT TIME ZONE 'UTC')::date`;

/** Counts by dimension and value, from rows in the form of `certificate_count_delta` and of `certificate_group_delta`. */
export const countsOf = (rows: string, groupRows: string): string => `
  SELECT counted.dimension, counted.value, archived, sum(certificates)::bigint AS certificates
  FROM ${rows} AS changed CROSS JOIN LATERAL (VALUES ${each((dimension, _, value) => `('${dimension}', ${value})`, ', ')}) AS counted (dimension, value)
  GROUP BY counted.dimension, counted.value, archived
  UNION ALL
  SELECT 'group', coalesce(group_uuid::text, ''), archived, sum(certificates)::bigint
  FROM ${groupRows} AS changed GROUP BY group_uuid, archived`;

/** Counts by the day of the end, from rows in the form of `certificate_count_delta`. */
export const daysOf = (rows: string): string => `
  SELECT ${DAY_OF_END} AS day, state = 'issued' AS live, archived, sum(certificates)::bigint AS certificates
  FROM ${rows} AS changed WHERE expiry_hour IS NOT NULL GROUP BY ${DAY_OF_END}, state = 'issued', archived`;

/** Counts by the hour of the end, from rows in the form of `certificate_count_delta`. */
export const hoursOf = (rows: string): string => `
  SELECT expiry_hour AS hour, archived, sum(certificates)::bigint AS certificates
  FROM ${rows} AS changed WHERE expiry_hour IS NOT NULL GROUP BY expiry_hour, archived`;

/** What is true at this moment: counters, and the deltas that were not moved there yet. */
export const CURRENT_COUNTS = `
  SELECT dimension, value, archived, certificates FROM certificate_count
  UNION ALL ${countsOf('certificate_count_delta', 'certificate_group_delta')}`;

export const CURRENT_DAYS = `
  SELECT day, live, archived, certificates FROM certificate_expiry_day UNION ALL ${daysOf('certificate_count_delta')}`;

export const CURRENT_HOURS = `
  SELECT hour, archived, certificates FROM certificate_expiry_hour UNION ALL ${hoursOf('certificate_count_delta')}`;

/**
 * All counts from the certificates themselves, in one pass over them. A row has either a dimension with its value, or the day of
 * the end with `live`, or its hour.
 */
export const COUNTED_CERTIFICATES = `
  SELECT CASE ${each((dimension, column) => `WHEN grouping(${column}) = 0 THEN '${dimension}'`, ' ')} END AS dimension,
    CASE ${each((_, column, value) => `WHEN grouping(${column}) = 0 THEN ${value}`, ' ')} END AS value,
    day, hour, live, archived, count(*) AS certificates
  FROM (
    SELECT *, ${DAY_OF_END} AS day, expiry_hour AS hour, state = 'issued' AS live
    FROM (
      SELECT archived, state, validation_status, compliance_status, certificate_type, subject_type, key_size, public_key_algorithm,
        signature_algorithm, protocol, ra_profile_uuid, date_trunc('hour', not_after, 'UTC') AS expiry_hour,
        (issued_at AT TIME ZONE 'UTC')::date AS issued_on
      FROM certificate) AS present) AS present
  GROUP BY GROUPING SETS (${each((_, column) => `(archived, ${column})`, ', ')}, (archived, live, day), (archived, hour))
  HAVING grouping(day) + grouping(hour) = 2 OR day IS NOT NULL OR hour IS NOT NULL`;

/** The same from the memberships. */
export const COUNTED_GROUPS = `
  SELECT 'group' AS dimension, coalesce(place::text, '') AS value, c.archived, count(DISTINCT c.uuid) AS certificates
  FROM group_membership m JOIN certificate c ON c.uuid = m.object_uuid CROSS JOIN unnest(ARRAY[m.group_uuid, NULL]) AS place
  WHERE m.object_resource = 'certificates' GROUP BY place, c.archived`;
