// How certificates come to be renewed, and why nothing renews them, in words.
import type { ApprovalVerdict, RenewalWay, UnattendedReason } from '@signetry/contract';
import type { Tone } from '../../ui/state.tsx';

export const wayWords: Readonly<Record<RenewalWay, string>> = {
  protocol: 'By ACME clients',
  location: 'By the platform, in locations',
  token: 'By the platform, with keys in tokens',
  request: 'On request, as before',
  hand: 'By hand so far',
  none: 'Not by the platform',
};

/** Nobody has to do anything. */
export const AUTOMATIC_WAYS: ReadonlySet<RenewalWay> = new Set(['protocol', 'location', 'token']);

export const reasonWords: Readonly<Record<UnattendedReason, string>> = {
  noRaProfile: 'No RA profile',
  raProfileDisabled: 'RA profile disabled',
  authorityMissing: 'Authority removed',
  noLocationNorKey: 'In no location, key in no token',
  locationMakesNoKeys: 'Location makes no keys',
  locationDisabled: 'Location disabled',
  notAutomatic: 'Not set to renew automatically',
  paused: 'Automatic renewal paused',
  failed: 'Last try failed',
};

export const REASONS = Object.keys(reasonWords) as UnattendedReason[]; // the keys are those of the record

export const verdictWords: Readonly<Record<ApprovalVerdict, readonly [tone: Tone, words: string]>> = {
  fits: ['good', 'In time'],
  mayTakeLonger: ['warn', 'May take longer'],
  takesLonger: ['bad', 'Takes longer'],
};
