// Tables that are read or written by areas other than their owner, each with the reason why the owner is not called
// instead.
export interface ForeignUse {
  /** Location of the user, in the form of the owners of `Owns:` lines: `areas/statistics`. */
  readonly from: string;
  readonly table: string;
  readonly why: string;
}

/** A list is searched, sorted and paged by the columns that it shows, which requires a single statement. */
const LISTED = 'lists are filtered, sorted and paged by it';
/** Counters, deltas and names must come from one snapshot. */
const SNAPSHOT = 'counts and names must come from one snapshot';
/** The statistics area depends on the certificates and cannot be called by them. */
const COUNTED = 'list totals come from the counters';
/** Statements for ACME requests are sent in batches, and each request uses only one. */
const HOT = 'one statement handles an ACME request';
/** The object may be deleted while it is checked. */
const STILL_THERE = 'the statement that stores a result checks that the object still exists';
/** Hundreds of objects are checked together, in the transaction that sends the notifications. */
const STILL_THERE_TO_TELL = 'one statement checks whether the reported conditions still hold';
/** The check for objects that expire soon is repeated frequently. */
const DUE = 'one statement finds and lists the due objects';

/** Approvals do not know what they are for. */
const WAITS = 'approval times are counted per RA profile of the waiting renewals';
/** The numbers cover the whole inventory. */
const WAYS = 'one statement determines how each certificate can be renewed';
/** A hundred thousand certificates may reach a threshold in the same hour. */
const REACHED = 'one statement finds and records the thresholds that certificates have reached';

const tables = (from: string, names: readonly string[], why: string): readonly ForeignUse[] =>
  names.map((table) => ({ from, table, why }));

export const FOREIGN_READS: readonly ForeignUse[] = [
  ...tables(
    'areas/certificates',
    ['ra_profile', 'group_membership'],
    'visibility of a certificate is a single condition',
  ),
  ...tables('areas/certificates', ['key_item', 'certificate_operation'], 'one statement finds the users of a key'),
  { from: 'areas/validation', table: 'certificate_content', why: 'hundreds of certificates are validated together' },
  { from: 'areas/validation', table: 'ra_profile', why: 'validation settings are read with the certificate' },
  ...tables('areas/inventory', ['ra_profile', 'object_group', 'group_membership'], LISTED),
  ...tables('areas/inventory', ['attribute_definition', 'attribute_value'], LISTED),
  {
    from: 'areas/inventory',
    table: 'authority',
    why: 'details are read in one query, including the authority of the RA profile',
  },
  { from: 'areas/inventory', table: 'platform_user', why: 'filters offer the names of owners' },
  ...tables('areas/inventory', ['certificate_count', 'certificate_expiry_hour', 'certificate_count_delta'], COUNTED),
  { from: 'areas/inventory', table: 'certificate_group_delta', why: COUNTED },
  { from: 'areas/inventory', table: 'certificate_operation', why: 'certificates with open operations are not deleted' },
  {
    from: 'areas/inventory',
    table: 'discovery_certificate',
    why: 'contents listed by a discovery are kept when their certificates are deleted',
  },
  {
    from: 'areas/discoveries',
    table: 'certificate',
    why: 'one statement stores and lists results together with inventory data',
  },
  { from: 'areas/discoveries', table: 'certificate_content', why: 'result pages include the certificate contents' },
  { from: 'areas/compliance', table: 'certificate_request', why: STILL_THERE },
  { from: 'areas/compliance', table: 'key_item', why: STILL_THERE },
  { from: 'areas/enrollments', table: 'certificate', why: LISTED },
  { from: 'areas/expiry', table: 'certificate', why: REACHED },
  { from: 'areas/expiry', table: 'group_membership', why: REACHED },
  { from: 'areas/expiry', table: 'ra_profile', why: REACHED },
  { from: 'areas/keys', table: 'token', why: LISTED },
  { from: 'areas/keys', table: 'token_profile', why: LISTED },
  { from: 'areas/keys', table: 'object_group', why: LISTED },
  { from: 'areas/keys', table: 'group_membership', why: LISTED },
  { from: 'areas/notifications', table: 'certificate', why: STILL_THERE_TO_TELL },
  { from: 'areas/notifications', table: 'certificate_relation', why: STILL_THERE_TO_TELL },
  {
    from: 'areas/notifications',
    table: 'platform_user',
    why: 'a notification is inserted only if the user still exists',
  },
  { from: 'areas/renewals', table: 'certificate', why: DUE },
  { from: 'areas/renewals', table: 'approval', why: WAITS },
  { from: 'areas/renewals', table: 'approval_profile', why: WAITS },
  { from: 'areas/renewals', table: 'approval_profile_version', why: WAITS },
  { from: 'areas/renewals', table: 'group_membership', why: WAYS },
  { from: 'areas/renewals', table: 'certificate_relation', why: WAYS },
  { from: 'areas/renewals', table: 'key_item', why: WAYS },
  { from: 'areas/renewals', table: 'ra_profile', why: WAYS },
  { from: 'areas/renewals', table: 'authority', why: WAYS },
  { from: 'areas/renewals', table: 'ocsp_responder', why: WAYS },
  { from: 'areas/renewals', table: 'location', why: DUE },
  { from: 'areas/renewals', table: 'location_certificate', why: DUE },
  {
    from: 'areas/revocation',
    table: 'authority',
    why: 'the insert locks the authority, or does nothing if it was deleted',
  },
  { from: 'areas/signing-certificates', table: 'certificate', why: LISTED },
  { from: 'areas/signing-certificates', table: 'certificate_relation', why: LISTED },
  { from: 'areas/signing-certificates', table: 'key_item', why: LISTED },
  { from: 'areas/statistics', table: 'certificate', why: SNAPSHOT },
  {
    from: 'areas/statistics',
    table: 'certificate_relation',
    why: 'the successors of many certificates are found together',
  },
  { from: 'areas/statistics', table: 'group_membership', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'object_group', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'ra_profile', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'authority', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'connector', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'credential', why: SNAPSHOT },
  { from: 'protocols/acme', table: 'acme_profile', why: HOT },
  { from: 'protocols/acme', table: 'ra_profile', why: HOT },
  {
    from: 'protocols/acme',
    table: 'certificate',
    why: 'the status of an order depends on its certificate; both are read together',
  },
  { from: 'protocols/acme', table: 'certificate_content', why: HOT },
];

/** One statement reserves or records a certificate with its operation, history and content. */
const ONE_STATEMENT = 'reserving or recording a certificate is a single statement';
const MANY_AT_ONCE = 'imports, changes and deletions write hundreds of certificates together';

/** Writes permitted in foreign tables; an entry also permits reads. */
export const FOREIGN_WRITES: readonly ForeignUse[] = [
  ...tables(
    'areas/validation',
    ['certificate', 'certificate_history'],
    'results are stored for hundreds of certificates together',
  ),
  ...tables('areas/issuing', ['certificate', 'certificate_content', 'certificate_request'], ONE_STATEMENT),
  ...tables('areas/issuing', ['certificate_history', 'certificate_relation'], ONE_STATEMENT),
  ...tables('areas/inventory', ['certificate', 'certificate_content', 'certificate_request'], MANY_AT_ONCE),
  ...tables('areas/inventory', ['certificate_history', 'issued_certificate'], MANY_AT_ONCE),
  { from: 'areas/inventory', table: 'certificate_relation', why: 'users assign relations to certificates' },
];
