// The state of a certificate in a word; for an issued one, whether it is still valid.
import { DAY_MS } from '../../format/dates.ts';
import { State, type Tone } from '../../ui/state.tsx';
import type { JudgedCertificate } from './shapes.ts';
import { stateWords } from './words.ts';

export interface Verdict {
  readonly tone: Tone;
  readonly word: string;
}

const EXPIRING_MS = 30 * DAY_MS;

/** In the last 30 days, or in the last third of a short validity period. */
function expiresSoon({ notBefore, notAfter }: JudgedCertificate, now: number): boolean {
  if (notBefore === undefined || notAfter === undefined) return false;
  const [start, end] = [Date.parse(notBefore), Date.parse(notAfter)];
  return end - now < Math.min(EXPIRING_MS, (end - start) / 3);
}

const tones: Readonly<Record<Exclude<JudgedCertificate['state'], 'issued'>, Tone>> = {
  requested: 'wait',
  rejected: 'bad',
  pending_issue: 'wait',
  pending_approval: 'wait',
  pending_revoke: 'wait',
  revoked: 'bad',
  failed: 'bad',
};

export function verdictOf(certificate: JudgedCertificate, now: number = Date.now()): Verdict {
  const { state } = certificate;
  if (state !== 'issued') return { tone: tones[state], word: stateWords[state] };
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
