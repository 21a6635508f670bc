// SQL fragments for the dimensions by which certificates are counted, which are the columns of
// `certificate_count_delta` (migration 0010-statistics). All statements that fold, read or compare counters, or that
// count without them, are built from these fragments.

/**
 * Maps each dimension to its column and to the SQL expression for its value as text; an empty text means that there is
 * no value.
 */
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

/** For `group`, the value is a group identifier. The empty value counts certificates that are in at least one group. */
export type Dimension = keyof typeof dimensions | 'group';

const joinDimensions = (
  text: (dimension: string, column: string, value: string) => string,
  separator: string,
): string =>
  Object.entries(dimensions)
    .map(([dimension, [column, value]]) => text(dimension, column, value))
    .join(separator);

/**
 * Counts rows in the format of `certificate_count_delta`, in a single pass. Each result row has either a dimension and
 * its value, or the day of expiry and whether the state is issued (`live`), or the hour of expiry.
 */
const counted = (rows: string, certificates: string): string => `
  SELECT CASE ${joinDimensions((dimension, column) => `WHEN grouping(${column}) = 0 THEN '${dimension}'`, ' ')} END AS dimension,
    CASE ${joinDimensions((_, column, value) => `WHEN grouping(${column}) = 0 THEN ${value}`, ' ')} END AS value,
    day, live, expiry_hour AS hour, archived, (${certificates})::bigint AS certificates
  FROM (SELECT *, (expiry_hour AT TIME ZONE 'UTC')::date AS day, state = 'issued' AS live FROM ${rows} AS counted) AS counted
  GROUP BY GROUPING SETS (${joinDimensions((_, column) => `(archived, ${column})`, ', ')}, (archived, live, day), (archived, expiry_hour))
  HAVING grouping(day) + grouping(expiry_hour) = 2 OR day IS NOT NULL OR expiry_hour IS NOT NULL`;

/** Counts deltas. */
export const countedDeltas = (deltas: string): string => counted(deltas, 'sum(certificates)');

/** Counts the certificates that match the condition. */
export const countedCertificates = (where: string): string =>
  counted(
    `(SELECT *, date_trunc('hour', not_after, 'UTC') AS expiry_hour, (issued_at AT TIME ZONE 'UTC')::date AS issued_on FROM certificate WHERE ${where})`,
    'count(*)',
  );

export const COUNTED_CERTIFICATES = countedCertificates('true');

/** Counts group deltas. */
export const countedGroupDeltas = (deltas: string): string => `
  SELECT 'group' AS dimension, coalesce(group_uuid::text, '') AS value, archived, sum(certificates)::bigint AS certificates
  FROM ${deltas} AS counted GROUP BY group_uuid, archived`;

/** Counts the group memberships of certificates (`c`) that match the condition. */
export const countedGroups = (where: string): string => `
  SELECT 'group' AS dimension, coalesce(place::text, '') AS value, c.archived, count(DISTINCT c.uuid) AS certificates
  FROM group_membership m JOIN certificate c ON c.uuid = m.object_uuid CROSS JOIN unnest(ARRAY[m.group_uuid, NULL]) AS place
  WHERE m.object_resource = 'certificates' AND ${where} GROUP BY place, c.archived`;

export const COUNTED_GROUPS = countedGroups('true');

/**
 * Start of statements that read current counts. `unfolded` contains the deltas that have not been added to the counters
 * yet.
 */
export const WITH_UNFOLDED = `WITH unfolded AS MATERIALIZED (${countedDeltas('certificate_count_delta')})`;

export const CURRENT_COUNTS = `
  SELECT dimension, value, archived, certificates FROM certificate_count
  UNION ALL SELECT dimension, value, archived, certificates FROM unfolded WHERE dimension IS NOT NULL
  UNION ALL ${countedGroupDeltas('certificate_group_delta')}`;

export const CURRENT_DAYS = `
  SELECT day, live, archived, certificates FROM certificate_expiry_day
  UNION ALL SELECT day, live, archived, certificates FROM unfolded WHERE day IS NOT NULL`;

export const CURRENT_HOURS = `
  SELECT hour, archived, certificates FROM certificate_expiry_hour
  UNION ALL SELECT hour, archived, certificates FROM unfolded WHERE hour IS NOT NULL`;
