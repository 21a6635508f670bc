// Certificates: rows, content, requests, history, relations, access, and parsing of DER. Issuance, validation, lists
// and imports are in higher areas. Owns: certificate, certificate_content, certificate_request, certificate_history,
// certificate_relation, issued_certificate, compromised_key. Invariants: a serial number is issued once per issuer; a
// revocation belongs to an issuer and serial number and outlives its row; a state change, its history and its audit
// record are one transaction.
//
// tables.ts, store.ts                    rows, and guarded state changes
// access.ts, store-visible.ts            who can see and change a certificate
// read-certificate.ts, read-request.ts   columns of received certificates and requests; files/ reads uploads
// issuers.ts, store-ca.ts                CA certificates by name and key, cached for seconds
// store-history.ts, record-event.ts      certificate history and audit records
// store-protocols.ts, store-status.ts    lookups of protocol servers and OCSP responders
// compliance-port.ts, locations-port.ts  ports that higher areas connect
// events/, names/                        certificate events; updates of stored names when attribute type codes change
export { isHeldCertificate, listedRaProfiles, canViewAllCertificates, findVisibleCertificates } from './access.ts';
export { assertChangeable, certificateName } from './changeable.ts';
export { findListedCertificates, isVisibleCertificate } from './store-visible.ts';
export { visibleCertificates, withoutHiddenObjects } from './access.ts';
export type { CertificateAccess, CertificateFilter } from './access.ts';
export { createCertificatesArea, type CertificatesArea } from './area.ts';
export { problemOfRequest, type ComplianceGate, type CompliancePort } from './compliance-port.ts';
export { describeCertificates } from './events/describe.ts';
export type { ActionPerformed } from './events/payloads.ts';
export { orderIssuersFirst, mainCertificateOf } from './files/order-certificates.ts';
export { readBounded, readUpload, rejectLongUpload } from './files/read-upload.ts';
export { createIssuers, isTruncated, issuerKeyOf, type Issuer, type Issuers, type PathLink } from './issuers.ts';
export type { LocationsPort, ReservationHook } from './locations-port.ts';
export type { NameSource, RegisteredField, Users } from './ports.ts';
export { keyUsagesOf, readCertificate, sha256Hex, storedValidity, withFindings } from './read-certificate.ts';
export type { CertificateFacts, ReadCertificate } from './read-certificate.ts';
export { hostNamesOf, readCrmf, readRequest, UnprovenRequestError, type RequestFacts } from './read-request.ts';
export { auditFacts, callerName, describeChoice, describeFilters, recordEvent } from './record-event.ts';
export { findProfilesOfCaCertificates, findProfilesOfCaKey } from './store-ca.ts';
export { isCompromised, isCompromisedSql } from './store-keys.ts';
export { insertHistory, type HistoryEntry } from './store-history.ts';
export { hasPrivateKey, privateKeyQuery } from './store-keys.ts';
export { findCertificateByFingerprint, findRequestedCertificates } from './store-protocols.ts';
export { findCertificatesBySerialNumber, findCertificatesByUuids, findIssuerNamesUnder } from './store-protocols.ts';
export { findIssuerUuids } from './store-protocols.ts';
export type { RequestedCertificateRow, FoundCertificate } from './store-protocols.ts';
export { findStatuses } from './store-status.ts';
export { certificateTables, changeCertificateState, deletePendingRelations, failCertificate } from './store.ts';
export {
  findCertificate,
  findCertificateRequest,
  findContent,
  hasReplaceableReason,
  hasSerialNumber,
} from './store.ts';
export { joinedTables, markReleased, markRevoked, rejectCertificate, replaceRevocationReason } from './store.ts';
export { isSucceeded, lifetimeDays, relationTypeOf, shownState, shownStateSql, withContent } from './store.ts';
export type { CertificateWithContent } from './store.ts';
export type { CertificateRow, CertificateTables, HistoryRow, JoinedTables, RequestRow } from './tables.ts';
export { TRUST_CHECK, TRUST_MISSING } from './trust.ts';
export { NO_WEAK_KEYS, readWeakKeyLists, rejectListedKey, type WeakKeyLists } from './weak-key-lists.ts';
