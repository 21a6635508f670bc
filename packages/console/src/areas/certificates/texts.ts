// Labels of certificate states.
import type {
  CertificatePurpose,
  CertificateState,
  CertificateValidationCheck,
  CertificateValidationStatus,
} from '@signetry/contract';

export const stateTexts: Readonly<Record<CertificateState, string>> = {
  requested: 'Requested',
  rejected: 'Rejected',
  pending_approval: 'Waiting for approval',
  pending_issue: 'Being issued',
  pending_revoke: 'Being revoked',
  failed: 'Failed',
  issued: 'Issued',
  revoked: 'Revoked',
};

export const validationTexts: Readonly<Record<CertificateValidationStatus, string>> = {
  not_checked: 'Not checked',
  failed: 'Failed',
  inactive: 'Not yet valid',
  invalid: 'Invalid',
  valid: 'Valid',
  revoked: 'Revoked',
  expiring: 'Expires soon',
  expired: 'Expired',
};

export const purposeTexts: Readonly<Record<CertificatePurpose, string>> = {
  server: 'TLS server',
  client: 'TLS client',
  mail: 'Email',
  code: 'Code signing',
  timeStamping: 'Time stamping',
  ocsp: 'OCSP signing',
};

export const checkTexts: Readonly<Record<CertificateValidationCheck, string>> = {
  certificate_chain: 'Chain',
  signature: 'Signature',
  certificate_validity: 'Validity period',
  ocsp_verification: 'Revocation (OCSP)',
  crl_verification: 'Revocation (CRL)',
  basic_constraints: 'Basic constraints',
  key_usage: 'Key usage',
};
