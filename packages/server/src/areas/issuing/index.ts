// Issues, renews, rekeys and revokes certificates: calls their authorities, and completes interrupted work. Owns:
// certificate_operation, certificate_end_entity. Invariants: an operation is committed before its authority is called;
// whatever an authority has signed is recorded; a serial number is issued once per issuer; an operation with an unknown
// outcome is followed up until the outcome is known.
//
// issuance/issue.ts         issuance: check.ts, reserve.ts, carry-out.ts and record.ts in this order; renew.ts
// revoking/revoke.ts        revocation and release from hold; destroy-key.ts destroys the key afterwards
// approving/                operations that wait for approval
// requesting/               CSRs generated with keys in tokens
// operations/               shared by all operations: preconditions, leases, reservations, calls
// settling/reconcile.ts     takes over interrupted operations; by-appearance.ts and by-person.ts: unknown outcomes
// end-entities/             v1 client operations
// protocol-certificates.ts  certificate operations for protocol servers
export { createIssuingArea, type IssuingArea } from './area.ts';
export { responseFor, type IssueResponse, type IssueAttempt } from './issuance/issue.ts';
export { identifyCertificate } from './operations/identify-certificate.ts';
export { findSuccessors } from './operations/store-successions.ts';
export type { ProtocolCertificates, ProtocolOutcome } from './protocol-certificates.ts';
export { csrAttributes } from './requesting/csr-attributes.ts';
export { createKeyedRenewals, profileOf } from './requesting/renew-with-key.ts';
export type { KeyedRenewalParts, KeyedRenewals } from './requesting/renew-with-key.ts';
export type { AppearanceSettler } from './settling/by-appearance.ts';
