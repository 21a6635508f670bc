// Requests in words.
import type { EnrolmentState } from '@signetry/contract';
import type { States } from '../../../ui/state.tsx';

export const enrolmentStates: States<EnrolmentState> = {
  waiting: ['wait', 'Waiting'],
  issued: ['good', 'Issued'],
  confirmed: ['good', 'Confirmed'],
  revoked: ['bad', 'Revoked'],
  refused: ['bad', 'Refused'],
};

/** Messages as the standards name them: RFC 9810 (CMP), RFC 8894 (SCEP), RFC 7030 (EST). */
const kinds: Readonly<Record<string, string>> = {
  ir: 'First certificate',
  cr: 'Another certificate',
  p10cr: 'Certificate for a PKCS #10 request',
  kur: 'Key update',
  rr: 'Revocation',
  nested: 'Messages passed on',
  PKCSReq: 'First certificate',
  RenewalReq: 'Renewal',
  simpleenroll: 'First certificate',
  simplereenroll: 'Renewal',
};

/** The name of the message where it has no words here. */
export const wordsOfKind = (kind: string): string => (Object.hasOwn(kinds, kind) ? (kinds[kind] ?? kind) : kind);
