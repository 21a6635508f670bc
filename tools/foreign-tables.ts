// Tables that are read, or written, by others than their owner, each with the reason why the owner is not called
// instead.
export interface ForeignUse {
  /** As `Owns:` lines are placed: `areas/statistics`. */
  readonly from: string;
  readonly table: string;
  readonly why: string;
}

/** A list is searched, sorted and paged by what it shows: in one statement, or not at all. */
const LISTED = 'lists are filtered, sorted and paged by it';
/** Counters, deltas and names have to be of one snapshot. */
const SNAPSHOT = 'counts and the names beside them are of one snapshot';
/** The statistics build on certificates and cannot be called by them. */
const COUNTED = 'totals of lists come from the counters';
/** Statements of ACME requests are sent in batches, and a request costs one of them. */
const HOT = 'a request of ACME is checked and answered by one statement';
/** The object may go while it is checked. */
const STILL_THERE = 'a result is kept only of what is still there, in the statement that keeps it';
/** Hundreds are looked at together, in the transaction that tells of them. */
const STILL_THERE_TO_TELL = 'whether what was told of still lasts is found out by one statement';
/** What ends soon is looked for again and again. */
const DUE = 'what is due is found, and listed, by one statement';

/** Approvals know nothing of what they are for. */
const WAITS = 'how long approvals take is counted by the RA profiles that renewals wait for';
/** Counted over the whole inventory. */
const WAYS = 'how each certificate can be renewed is found for all in one statement';
/** A hundred thousand certificates may reach a threshold in one hour. */
const REACHED = 'thresholds that certificates have reached are found, and written down, in one statement';

const tables = (from: string, names: readonly string[], why: string): readonly ForeignUse[] =>
  names.map((table) => ({ from, table, why }));

export const FOREIGN_READS: readonly ForeignUse[] = [
  ...tables('areas/certificates', ['ra_profile', 'group_membership'], 'who may see a certificate is one condition'),
  ...tables('areas/certificates', ['key_item', 'certificate_operation'], 'what uses a key is found by one statement'),
  { from: 'areas/validation', table: 'certificate_content', why: 'verdicts are reached about hundreds at once' },
  { from: 'areas/validation', table: 'ra_profile', why: 'how it is validated is read with the certificate' },
  ...tables('areas/inventory', ['ra_profile', 'object_group', 'group_membership'], LISTED),
  ...tables('areas/inventory', ['attribute_definition', 'attribute_value'], LISTED),
  { from: 'areas/inventory', table: 'authority', why: 'a detail is one read, with the authority of its profile' },
  { from: 'areas/inventory', table: 'platform_user', why: 'the form of filters offers names of owners' },
  ...tables('areas/inventory', ['certificate_count', 'certificate_expiry_hour', 'certificate_count_delta'], COUNTED),
  { from: 'areas/inventory', table: 'certificate_group_delta', why: COUNTED },
  { from: 'areas/inventory', table: 'certificate_operation', why: 'certificates with open operations are not deleted' },
  {
    from: 'areas/inventory',
    table: 'discovery_certificate',
    why: 'contents that a discovery shows stay when their certificates are deleted',
  },
  {
    from: 'areas/discoveries',
    table: 'certificate',
    why: 'what was found is written, and shown, with the facts of the inventory in one statement',
  },
  { from: 'areas/discoveries', table: 'certificate_content', why: 'pages of what was found show the contents' },
  { from: 'areas/compliance', table: 'certificate_request', why: STILL_THERE },
  { from: 'areas/compliance', table: 'key_item', why: STILL_THERE },
  { from: 'areas/enrolments', table: 'certificate', why: LISTED },
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
    why: 'a notification is inserted only for who is still there',
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
    why: 'the insert holds the authority, or does nothing when it is gone',
  },
  { from: 'areas/signing-certificates', table: 'certificate', why: LISTED },
  { from: 'areas/signing-certificates', table: 'certificate_relation', why: LISTED },
  { from: 'areas/signing-certificates', table: 'key_item', why: LISTED },
  { from: 'areas/statistics', table: 'certificate', why: SNAPSHOT },
  {
    from: 'areas/statistics',
    table: 'certificate_relation',
    why: 'what renewed a certificate is found for many at once',
  },
  { from: 'areas/statistics', table: 'group_membership', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'object_group', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'ra_profile', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'authority', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'connector', why: SNAPSHOT },
  { from: 'areas/statistics', table: 'credential', why: SNAPSHOT },
  { from: 'protocols/acme', table: 'acme_profile', why: HOT },
  { from: 'protocols/acme', table: 'ra_profile', why: HOT },
  { from: 'protocols/acme', table: 'certificate', why: 'the status of an order follows its certificate, read as one' },
  { from: 'protocols/acme', table: 'certificate_content', why: HOT },
];

/** A certificate is reserved, and recorded, with its operation, its history and its content by one statement. */
const ONE_STATEMENT = 'a reservation, and a record, is one statement';
const MANY_AT_ONCE = 'imports, changes and deletions write hundreds of certificates at once';

/** Whoever may write may read too. */
export const FOREIGN_WRITES: readonly ForeignUse[] = [
  ...tables('areas/validation', ['certificate', 'certificate_history'], 'verdicts are stored for hundreds at once'),
  ...tables('areas/issuing', ['certificate', 'certificate_content', 'certificate_request'], ONE_STATEMENT),
  ...tables('areas/issuing', ['certificate_history', 'certificate_relation'], ONE_STATEMENT),
  ...tables('areas/inventory', ['certificate', 'certificate_content', 'certificate_request'], MANY_AT_ONCE),
  ...tables('areas/inventory', ['certificate_history', 'issued_certificate'], MANY_AT_ONCE),
  { from: 'areas/inventory', table: 'certificate_relation', why: 'relations are what people assign to certificates' },
];
