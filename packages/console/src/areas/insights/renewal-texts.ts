// Text for renewal methods, for reasons why a certificate has no automated renewal, and for approval verdicts.
import type { ApprovalVerdict, RenewalWay, UnattendedReason } from '@signetry/contract';
import type { Tone } from '../../ui/state.tsx';

export const methodTexts: Readonly<Record<RenewalWay, string>> = {
  protocol: 'ACME client',
  location: 'Platform (in locations)',
  token: 'Platform (keys in tokens)',
  request: 'On request',
  hand: 'Currently manual',
  none: 'Not renewable by the platform',
};

/** Methods that require no manual action. */
export const AUTOMATIC_METHODS: ReadonlySet<RenewalWay> = new Set(['protocol', 'location', 'token']);

export const reasonTexts: Readonly<Record<UnattendedReason, string>> = {
  noRaProfile: 'No RA profile',
  raProfileDisabled: 'RA profile disabled',
  authorityMissing: 'Authority removed',
  noLocationNorKey: 'No location, and key not in a token',
  locationMakesNoKeys: 'Location does not generate keys',
  locationDisabled: 'Location disabled',
  notAutomatic: 'Automatic renewal not enabled',
  paused: 'Automatic renewal paused',
  failed: 'Last attempt failed',
};

// The keys are exactly those of the record, so the cast is safe.
export const REASONS = Object.keys(reasonTexts) as UnattendedReason[];

export const verdictTexts: Readonly<Record<ApprovalVerdict, readonly [tone: Tone, words: string]>> = {
  fits: ['good', 'In time'],
  mayTakeLonger: ['warn', 'May take too long'],
  takesLonger: ['bad', 'Takes too long'],
};
