// Shows whether a profile serves clients and, if it does not, why and what to do about it.
import { Group } from '@mantine/core';
import type { ProtocolProfile } from '../../queries/protocols.ts';
import { State, type Tone } from '../../ui/state.tsx';

interface DisplayState {
  readonly tone: Tone;
  readonly word: string;
  /** Reason why clients are not served; absent while they are. */
  readonly why?: string;
}

export function displayStateOf({ enabled, raProfile }: ProtocolProfile): DisplayState {
  if (!enabled)
    return {
      tone: 'none',
      word: 'Disabled',
      why: 'Clients cannot obtain or renew certificates. Enable the profile to serve them.',
    };
  if (!raProfile)
    return {
      tone: 'warn',
      word: 'No RA profile',
      why: 'Clients cannot be served yet. Choose an RA profile in the settings.',
    };
  if (!raProfile.enabled)
    return {
      tone: 'warn',
      word: 'RA profile disabled',
      why: `Client requests are rejected while the RA profile ${raProfile.name} is disabled.`,
    };
  return { tone: 'good', word: 'Serving clients' };
}

/**
 * Points out conditions that an administrator should resolve: names that are not bound, and a secret that can be
 * guessed.
 */
export function ProfileState({ profile }: { readonly profile: ProtocolProfile }) {
  const { tone, word } = displayStateOf(profile);
  return (
    <Group gap="xs" component="span">
      <State tone={tone}>{word}</State>
      {profile.bindNames === undefined && <State tone="warn">Names not bound</State>}
      {profile.weakSecret === true && <State tone="warn">Weak secret</State>}
    </Group>
  );
}
