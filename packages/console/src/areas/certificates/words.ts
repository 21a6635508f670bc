// Names of the states of certificates.
import type { CertificateState, CertificateValidationStatus } from '@signetry/contract';

export const stateWords: Readonly<Record<CertificateState, string>> = {
  requested: 'Requested',
  rejected: 'Rejected',
  pending_approval: 'Waiting for approval',
  pending_issue: 'Being issued',
  pending_revoke: 'Being revoked',
  failed: 'Failed',
  issued: 'Issued',
  revoked: 'Revoked',
};

export const validationWords: Readonly<Record<CertificateValidationStatus, string>> = {
  not_checked: 'Not checked',
  failed: 'Failed',
  inactive: 'Not valid yet',
  invalid: 'Invalid',
  valid: 'Valid',
  revoked: 'Revoked',
  expiring: 'Expires soon',
  expired: 'Expired',
};
