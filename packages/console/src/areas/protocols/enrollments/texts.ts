// Text for enrollment requests.
import type { EnrollmentState } from '@signetry/contract';
import type { States } from '../../../ui/state.tsx';

export const enrollmentStates: States<EnrollmentState> = {
  waiting: ['wait', 'Pending'],
  issued: ['good', 'Issued'],
  confirmed: ['good', 'Confirmed'],
  revoked: ['bad', 'Revoked'],
  refused: ['bad', 'Rejected'],
};

/** Labels for message names of RFC 9810 (CMP), RFC 8894 (SCEP) and RFC 7030 (EST). */
const kinds: Readonly<Record<string, string>> = {
  ir: 'Initial enrollment',
  cr: 'Additional certificate',
  p10cr: 'Certificate from a PKCS #10 request',
  kur: 'Key update',
  rr: 'Revocation',
  nested: 'Forwarded messages',
  PKCSReq: 'Initial enrollment',
  RenewalReq: 'Renewal',
  newAccount: 'ACME registration',
  simpleenroll: 'Initial enrollment',
  simplereenroll: 'Renewal',
};

/** Returns the label of a message, or its name if there is none. */
export const describeKind = (kind: string): string => (Object.hasOwn(kinds, kind) ? (kinds[kind] ?? kind) : kind);
