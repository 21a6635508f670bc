// What certificates are counted by: the dimensions of migration 0010-statistics, as text of SQL. Everything that moves or reads
// counters is put together from here.

/** Dimension to the text of its value in a row of `certificate_count_delta`; the empty text stands for none. */
const valueOf = {
  state: 'state',
  validationStatus: 'validation_status',
  complianceStatus: 'compliance_status',
  certificateType: 'certificate_type',
  subjectType: `coalesce(subject_type, '')`,
  keySize: 'key_size::text',
  publicKeyAlgorithm: 'public_key_algorithm',
  signatureAlgorithm: `coalesce(signature_algorithm, '')`,
  protocol: `coalesce(protocol, '')`,
  raProfile: `coalesce(ra_profile_uuid::text, '')`,
  issuedOn: `coalesce(to_char(issued_on, 'YYYY-MM-DD'), '')`,
} as const;

/** `group` has the identifier of a group as its value; the empty value are certificates that are in any. */
export type Dimension = keyof typeof valueOf | 'group';

const VALUES = Object.entries(valueOf)
  .map(([dimension, value]) => `('${dimension}', ${value})`)
  .join(', ');

/** Counts by dimension and value, from rows in the form of `certificate_count_delta` and of `certificate_group_delta`. */
export const countsOf = (rows: string, groupRows: string): string => `
  SELECT counted.dimension, counted.value, archived, sum(certificates)::bigint AS certificates
  FROM ${rows} AS changed CROSS JOIN LATERAL (VALUES ${VALUES}) AS counted (dimension, value)
  GROUP BY counted.dimension, counted.value, archived
  UNION ALL
  SELECT 'group', coalesce(group_uuid::text, ''), archived, sum(certificates)::bigint
  FROM ${groupRows} AS changed GROUP BY group_uuid, archived`;

/** Counts by the hour of the end, from rows in the form of `certificate_count_delta`. */
export const expiryCountsOf = (rows: string): string => `
  SELECT expiry_hour AS hour, state = 'issued' AS live, archived, sum(certificates)::bigint AS certificates
  FROM ${rows} AS changed WHERE expiry_hour IS NOT NULL
  GROUP BY expiry_hour, state = 'issued', archived`;

/** The certificates themselves in the form of `certificate_count_delta`. */
export const COUNTED_CERTIFICATES = `
  SELECT archived, state, validation_status, compliance_status, certificate_type, subject_type, key_size, public_key_algorithm,
    signature_algorithm, protocol, ra_profile_uuid, date_trunc('hour', not_after, 'UTC') AS expiry_hour,
    (issued_at AT TIME ZONE 'UTC')::date AS issued_on, count(*) AS certificates
  FROM certificate GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13`;

/** The memberships themselves in the form of `certificate_group_delta`. */
export const COUNTED_GROUPS = `
  SELECT place AS group_uuid, c.archived, count(DISTINCT c.uuid) AS certificates
  FROM group_membership m JOIN certificate c ON c.uuid = m.object_uuid CROSS JOIN unnest(ARRAY[m.group_uuid, NULL]) AS place
  WHERE m.object_resource = 'certificates' GROUP BY place, c.archived`;

/** What is true at this moment: counters, and the deltas that were not moved there yet. */
export const CURRENT_COUNTS = `
  SELECT dimension, value, archived, certificates FROM certificate_count
  UNION ALL ${countsOf('certificate_count_delta', 'certificate_group_delta')}`;

/** The same by the hour of the end. */
export const CURRENT_EXPIRY_COUNTS = `
  SELECT hour, live, archived, certificates FROM certificate_expiry_count
  UNION ALL ${expiryCountsOf('certificate_count_delta')}`;
