// Names of the states of certificates, and the reasons of revocations with what they mean.
import type { CertificateRevocationReason, CertificateState, CertificateValidationStatus } from '@signetry/contract';

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

interface RevocationReasonWords {
  readonly value: CertificateRevocationReason;
  readonly label: string;
  readonly meaning: string;
}

/** Reasons that people give (RFC 5280 §5.3.1), the most frequent first. */
export const revocationReasons: readonly RevocationReasonWords[] = [
  {
    value: 'unspecified',
    label: 'Unspecified',
    meaning: 'None of the others applies. The key can be used in a new certificate.',
  },
  {
    value: 'superseded',
    label: 'Superseded by another certificate',
    meaning: 'It was replaced, and nothing suggests that others have its key.',
  },
  {
    value: 'cessationOfOperation',
    label: 'Cessation of operation',
    meaning: 'The host or service that it was issued for is no longer operated, or no longer has these names.',
  },
  {
    value: 'keyCompromise',
    label: 'Key compromise',
    meaning: 'Others have its private key, or may have it. No certificate is issued for this key again.',
  },
  {
    value: 'affiliationChanged',
    label: 'Affiliation changed',
    meaning: 'The organization or other names in it are no longer right, and others do not have its key.',
  },
  {
    value: 'privilegeWithdrawn',
    label: 'Privilege withdrawn',
    meaning: 'Its holder no longer has the right to use it, and others do not have its key.',
  },
];
