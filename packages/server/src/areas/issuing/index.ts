// Issues, renews, rekeys and revokes certificates: asks their authorities, and finishes what was begun. Owns:
// certificate_operation, certificate_end_entity. Invariants: an operation is committed before its authority is called;
// what an authority signed is recorded; a serial number is issued once per issuer; an operation whose outcome is
// unknown is asked about until it is known.
//
// issuance/issue.ts        issues: check.ts, reserve.ts, carry-out.ts and record.ts in this order; renew.ts succeeds
// revoking/revoke.ts       revokes and releases from hold; destroy-key.ts destroys the key afterwards
// approving/               operations that wait for approval
// requesting/              requests made with keys in tokens
// operations/              what all of them have in common: preconditions, leases, reservations, calls
// settling/reconcile.ts    takes over what a node left; by-appearance.ts and by-person.ts end what stayed unknown
// end-entities/            client operations of the first generation
// protocol-certificates.ts what protocol servers do with certificates
export { createIssuingArea, type IssuingArea } from './area.ts';
export { answerOf, type IssueAnswer, type IssueAttempt } from './issuance/issue.ts';
export { identifyCertificate } from './operations/identify-certificate.ts';
export { findSuccessors } from './operations/store-successions.ts';
export type { ProtocolCertificates, ProtocolOutcome } from './protocol-certificates.ts';
export { csrAttributes } from './requesting/csr-attributes.ts';
export { createRenewingWithKeys, profileOf } from './requesting/renew-with-key.ts';
export type { RenewingParts, RenewingWithKeys } from './requesting/renew-with-key.ts';
export type { AppearanceSettler } from './settling/by-appearance.ts';
