// Display tones for certificate states, which show whether a state requires attention.
import type { CertificateState, CertificateValidationStatus } from '@signetry/contract';
import type { Tone } from './table.ts';

export function stateTone(state: CertificateState): Tone {
  switch (state) {
    case 'issued':
      return 'good';
    case 'failed':
    case 'rejected':
    case 'revoked':
      return 'bad';
    case 'requested':
    case 'pending_approval':
    case 'pending_issue':
    case 'pending_revoke':
      return 'warning';
  }
}

export function validationTone(status: CertificateValidationStatus): Tone | undefined {
  switch (status) {
    case 'valid':
      return 'good';
    case 'expiring':
      return 'warning';
    case 'failed':
    case 'inactive':
    case 'invalid':
    case 'revoked':
    case 'expired':
      return 'bad';
    case 'not_checked':
      return undefined;
  }
}
