// Whether a profile serves clients, and if not, why and what to do.
import { Group } from '@mantine/core';
import type { ProtocolProfile } from '../../queries/protocols.ts';
import { State, type Tone } from '../../ui/state.tsx';

interface ShownState {
  readonly tone: Tone;
  readonly word: string;
  /** Absent while clients are served. */
  readonly why?: string;
}

export function verdictOf({ enabled, raProfile }: ProtocolProfile): ShownState {
  if (!enabled)
    return {
      tone: 'none',
      word: 'Disabled',
      why: 'Clients can neither get nor renew certificates. Enable the profile to serve them.',
    };
  if (!raProfile)
    return { tone: 'warn', word: 'No RA profile', why: 'Nothing is served yet. Choose an RA profile in the settings.' };
  if (!raProfile.enabled)
    return {
      tone: 'warn',
      word: 'RA profile disabled',
      why: `Clients are refused while the RA profile ${raProfile.name} is disabled.`,
    };
  return { tone: 'good', word: 'Serving clients' };
}

/** What waits for an administrator is marked: names that are not bound, and a secret that can be guessed. */
export function ProfileState({ profile }: { readonly profile: ProtocolProfile }) {
  const { tone, word } = verdictOf(profile);
  return (
    <Group gap="xs" component="span">
      <State tone={tone}>{word}</State>
      {profile.bindNames === undefined && <State tone="warn">Names not bound</State>}
      {profile.weakSecret === true && <State tone="warn">Weak secret</State>}
    </Group>
  );
}
