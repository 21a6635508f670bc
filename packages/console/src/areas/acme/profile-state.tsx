// Shows whether a directory serves clients and, if it does not, why and what to do about it.
import { State, type Tone } from '../../ui/state.tsx';
import type { ListedProfile, Profile } from './shapes.ts';

export interface DisplayState {
  readonly tone: Tone;
  readonly word: string;
  /** Reason why clients are not served; absent while they are. */
  readonly why?: string;
}

export function displayStateOf(profile: ListedProfile & Partial<Profile>): DisplayState {
  if (!profile.enabled)
    return {
      tone: 'none',
      word: 'Disabled',
      why: 'Clients cannot obtain or renew certificates. Enable the profile to serve them.',
    };
  if (!profile.raProfile)
    return {
      tone: 'warn',
      word: 'No RA profile',
      why: 'There is no directory yet. Choose an RA profile in the settings.',
    };
  if (!profile.raProfile.enabled)
    return {
      tone: 'warn',
      word: 'RA profile disabled',
      why: `Client requests are rejected while the RA profile ${profile.raProfile.name} is disabled.`,
    };
  if (profile.termsOfServiceChangeDisable)
    return {
      tone: 'warn',
      word: 'Suspended',
      why: 'The terms of service are changing: all clients are suspended until the suspension is turned off in the settings.',
    };
  return { tone: 'good', word: 'Serving clients' };
}

export function ProfileState({ profile }: { readonly profile: ListedProfile & Partial<Profile> }) {
  const { tone, word } = displayStateOf(profile);
  return <State tone={tone}>{word}</State>;
}
