// Tables that are read by others than their owner, each with the reason why the owner is not called instead. Nobody
// writes a foreign table.
export interface ForeignRead {
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

export const FOREIGN_READS: readonly ForeignRead[] = [
  { from: 'areas/certificates', table: 'ra_profile', why: LISTED },
  { from: 'areas/certificates', table: 'authority', why: 'a detail is one read, with the authority of its profile' },
  { from: 'areas/certificates', table: 'object_group', why: LISTED },
  { from: 'areas/certificates', table: 'group_membership', why: LISTED },
  { from: 'areas/certificates', table: 'attribute_definition', why: LISTED },
  { from: 'areas/certificates', table: 'attribute_value', why: LISTED },
  { from: 'areas/certificates', table: 'key_item', why: 'lists are filtered by it, and show it, in one statement' },
  { from: 'areas/certificates', table: 'platform_user', why: 'the form of filters offers names of owners' },
  { from: 'areas/certificates', table: 'certificate_count', why: COUNTED },
  { from: 'areas/certificates', table: 'certificate_expiry_hour', why: COUNTED },
  { from: 'areas/certificates', table: 'certificate_count_delta', why: COUNTED },
  { from: 'areas/certificates', table: 'certificate_group_delta', why: COUNTED },
  {
    from: 'areas/certificates',
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
