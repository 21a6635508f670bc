// What matters about a certificate, in one word: its state, and once it is issued whether it is still good.
import { DAY_MS } from '../../format/dates.ts';
import { State, type Tone } from '../../ui/state.tsx';
import type { JudgedCertificate } from './shapes.ts';

export interface Verdict {
  readonly tone: Tone;
  readonly word: string;
}

const EXPIRING_MS = 30 * DAY_MS;

/** Long before the end for a certificate of a year, in the last third for one that lives for days. */
function expiresSoon({ notBefore, notAfter }: JudgedCertificate, now: number): boolean {
  if (notBefore === undefined || notAfter === undefined) return false;
  const [start, end] = [Date.parse(notBefore), Date.parse(notAfter)];
  return end - now < Math.min(EXPIRING_MS, (end - start) / 3);
}

const states: Readonly<Record<Exclude<JudgedCertificate['state'], 'issued'>, Verdict>> = {
  requested: { tone: 'wait', word: 'Requested' },
  rejected: { tone: 'bad', word: 'Rejected' },
  pending_issue: { tone: 'wait', word: 'Being issued' },
  pending_approval: { tone: 'wait', word: 'Waits for approval' },
  pending_revoke: { tone: 'wait', word: 'Being revoked' },
  revoked: { tone: 'bad', word: 'Revoked' },
  failed: { tone: 'bad', word: 'Failed' },
};

export function verdictOf(certificate: JudgedCertificate, now: number = Date.now()): Verdict {
  if (certificate.state !== 'issued') return states[certificate.state];
  const end = certificate.notAfter === undefined ? Infinity : Date.parse(certificate.notAfter);
  if (end <= now) return { tone: 'bad', word: 'Expired' };
  if (certificate.validationStatus === 'invalid') return { tone: 'bad', word: 'Invalid' };
  if (certificate.validationStatus === 'revoked') return { tone: 'bad', word: 'Revoked' };
  if (expiresSoon(certificate, now)) return { tone: 'warn', word: 'Expires soon' };
  return { tone: 'good', word: 'Valid' };
}

export function CertificateState({ certificate }: { readonly certificate: JudgedCertificate }) {
  const { tone, word } = verdictOf(certificate);
  return <State tone={tone}>{word}</State>;
}
