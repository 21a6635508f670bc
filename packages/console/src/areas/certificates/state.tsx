// A certificate's state and, if it was issued, whether it is still valid.
import { State, type Tone } from '../../ui/state.tsx';
import { expiresSoon } from './expires-soon.ts';
import type { EvaluatedCertificate } from './shapes.ts';
import { stateTexts } from './texts.ts';

export interface DisplayState {
  readonly tone: Tone;
  readonly word: string;
}

const tones: Readonly<Record<Exclude<EvaluatedCertificate['state'], 'issued'>, Tone>> = {
  requested: 'wait',
  rejected: 'bad',
  pending_issue: 'wait',
  pending_approval: 'wait',
  pending_revoke: 'wait',
  revoked: 'bad',
  failed: 'bad',
};

export function displayStateOf(certificate: EvaluatedCertificate, now: number = Date.now()): DisplayState {
  const { state } = certificate;
  if (state !== 'issued') return { tone: tones[state], word: stateTexts[state] };
  const end = certificate.notAfter === undefined ? Infinity : Date.parse(certificate.notAfter);
  if (end <= now) return { tone: 'bad', word: 'Expired' };
  if (certificate.isTrustMissing) return { tone: 'none', word: 'Untrusted root' };
  if (certificate.validationStatus === 'invalid') return { tone: 'bad', word: 'Invalid' };
  if (certificate.validationStatus === 'revoked') return { tone: 'bad', word: 'Revoked' };
  if (expiresSoon(certificate, now)) return { tone: 'warn', word: 'Expires soon' };
  return { tone: 'good', word: 'Valid' };
}

export function CertificateState({ certificate }: { readonly certificate: EvaluatedCertificate }) {
  const { tone, word } = displayStateOf(certificate);
  return <State tone={tone}>{word}</State>;
}
