// Enumerations for certificates: type, states, validation, formats, revocation, relations and history.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

export const CertificateType = enumeration('CertificateType', {
  'X.509': 'X.509',
  SSH: 'SSH',
});
export type CertificateType = z.output<typeof CertificateType>;

/**
 * Lifecycle state of a certificate record. `CertificateValidationStatus` covers whether the certificate is currently
 * within its validity period.
 */
export const CertificateState = enumeration('CertificateState', {
  requested: 'Requested',
  rejected: 'Rejected',
  pending_approval: 'Pending approval',
  pending_issue: 'Pending issue',
  pending_revoke: 'Pending revoke',
  failed: 'Failed',
  issued: 'Issued',
  revoked: 'Revoked',
});
export type CertificateState = z.output<typeof CertificateState>;

export const CertificateValidationStatus = enumeration('CertificateValidationStatus', {
  not_checked: 'Not checked',
  failed: 'Failed',
  inactive: 'Inactive',
  invalid: 'Invalid',
  valid: 'Valid',
  revoked: 'Revoked',
  expiring: 'Expiring',
  expired: 'Expired',
});
export type CertificateValidationStatus = z.output<typeof CertificateValidationStatus>;

/** Individual checks that make up a validation. */
export const CertificateValidationCheck = enumeration('CertificateValidationCheck', {
  certificate_chain: 'Certificate chain',
  signature: 'Signature Verification',
  certificate_validity: 'Certificate Validity',
  ocsp_verification: 'OCSP Verification',
  crl_verification: 'CRL Verification',
  basic_constraints: 'Basic Constraints',
  key_usage: 'Certificate Key Usage',
});
export type CertificateValidationCheck = z.output<typeof CertificateValidationCheck>;

/** Content of a downloaded file. */
export const CertificateFormat = enumeration('CertificateFormat', {
  raw: 'Raw',
  pkcs7: 'PKCS#7',
});
export type CertificateFormat = z.output<typeof CertificateFormat>;

export const CertificateFormatEncoding = enumeration('CertificateFormatEncoding', {
  pem: 'PEM',
  der: 'DER',
});
export type CertificateFormatEncoding = z.output<typeof CertificateFormatEncoding>;

export const CertificateRequestFormat = enumeration('CertificateRequestFormat', {
  pkcs10: 'PKCS#10',
  crmf: 'CRMF',
});
export type CertificateRequestFormat = z.output<typeof CertificateRequestFormat>;

/** All reasons in RFC 5280 §5.3.1 except removeFromCRL, which is used only in delta CRLs. */
export const CertificateRevocationReason = enumeration('CertificateRevocationReason', {
  unspecified: 'Unspecified',
  keyCompromise: 'Key compromise',
  cACompromise: 'CA compromise',
  affiliationChanged: 'Affiliation changed',
  superseded: 'Superseded',
  cessationOfOperation: 'Cessation of operation',
  certificateHold: 'Certificate hold',
  privilegeWithdrawn: 'Privilege withdrawn',
  aACompromise: 'AA compromise',
});
export type CertificateRevocationReason = z.output<typeof CertificateRevocationReason>;

/** Protocol over which a certificate was issued. */
export const CertificateProtocol = enumeration('CertificateProtocol', {
  acme: 'ACME Protocol',
  scep: 'SCEP Protocol',
  cmp: 'CMP Protocol',
});
export type CertificateProtocol = z.output<typeof CertificateProtocol>;

export const CertificateSubjectType = enumeration('CertificateSubjectType', {
  endEntity: 'End Entity',
  selfSignedEndEntity: 'Self-signed End Entity',
  intermediateCa: 'Intermediate CA',
  rootCa: 'Root CA',
});
export type CertificateSubjectType = z.output<typeof CertificateSubjectType>;

/** Key usage bits in the order in RFC 5280 §4.2.1.3: a code's position is its bit number. */
export const CertificateKeyUsage = enumeration('CertificateKeyUsage', {
  digitalSignature: 'Digital Signature',
  nonRepudiation: 'Non Repudiation',
  keyEncipherment: 'Key Encipherment',
  dataEncipherment: 'Data Encipherment',
  keyAgreement: 'Key Agreement',
  keyCertSign: 'Key Cert Sign',
  cRLSign: 'CRL Sign',
  encipherOnly: 'Encipher Only',
  decipherOnly: 'Decipher Only',
});
export type CertificateKeyUsage = z.output<typeof CertificateKeyUsage>;

/** How a certificate was derived from its predecessor. */
export const CertificateRelationType = enumeration('CertificateRelationType', {
  renewal: 'Renewal',
  rekey: 'Rekey',
  replacement: 'Replacement',
  pending: 'Pending',
});
export type CertificateRelationType = z.output<typeof CertificateRelationType>;

/** Types of entries in a certificate's history. */
export const CertificateEvent = enumeration('CertificateEvent', {
  'Issue Certificate': 'Issue Certificate',
  'Request Certificate': 'Request Certificate',
  'Renew Certificate': 'Renew Certificate',
  'Rekey Certificate': 'Rekey Certificate',
  'Revoke Certificate': 'Revoke Certificate',
  'Delete Certificate': 'Delete Certificate',
  'Approve action requested': 'Approve action requested',
  'Approve action closed': 'Approve action closed',
  'Update State': 'Update State',
  'Update Validation Status': 'Update Validation Status',
  'Update RA Profile': 'Update RA Profile',
  'Update Entity': 'Update Entity',
  'Update Group': 'Update Group',
  'Update Owner': 'Update Owner',
  'Upload Certificate': 'Upload Certificate',
  'Certificate Discovered': 'Certificate Discovered',
  'Update Location': 'Update Location',
  'Archive certificate': 'Archive certificate',
  'Unarchive certificate': 'Unarchive certificate',
});
export type CertificateEvent = z.output<typeof CertificateEvent>;

export const CertificateEventStatus = enumeration('CertificateEventStatus', {
  SUCCESS: 'Success',
  FAILED: 'Failed',
});
export type CertificateEventStatus = z.output<typeof CertificateEventStatus>;

/** Outcome of a bulk operation on certificates. */
export const BulkOperationStatus = enumeration('BulkOperationStatus', {
  SUCCESS: 'Success',
  FAILED: 'Failed',
  PARTIAL: 'Partial',
});
export type BulkOperationStatus = z.output<typeof BulkOperationStatus>;

/** CRLReason code for each revocation reason (RFC 5280 §5.3.1). */
export const revocationReasonCode: Readonly<Record<CertificateRevocationReason, number>> = {
  unspecified: 0,
  keyCompromise: 1,
  cACompromise: 2,
  affiliationChanged: 3,
  superseded: 4,
  cessationOfOperation: 5,
  certificateHold: 6,
  privilegeWithdrawn: 9,
  aACompromise: 10,
};
