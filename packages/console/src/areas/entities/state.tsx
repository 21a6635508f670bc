// The states of entities and of certificates in locations, and what they mean.
import type { DeploymentState as DeploymentCode, LocationState as LocationCode } from '@signetry/contract';
import { formatDateTime } from '../../format/dates.ts';
import type { Deployed } from '../../queries/entities.ts';
import { State, stateOf, type States } from '../../ui/state.tsx';

/** What the connector of an entity says of it. */
export const EntityState = stateOf({
  connected: ['good', 'Connected'],
  unavailable: ['bad', 'Not reachable'],
  'unknown to its connector': ['bad', 'Unknown to its connector'],
  'without connector': ['bad', 'Without connector'],
} as States<string>); // others stand for themselves

export const locationWords: Readonly<Record<LocationCode, string>> = {
  failed: 'Not installed',
  notServed: 'Not served',
  unreadable: 'Not readable',
  waiting: 'Under way',
  installed: 'Installed',
  served: 'Served',
  empty: 'Empty',
};

export const LocationState = stateOf<LocationCode>({
  failed: ['bad', locationWords.failed],
  notServed: ['bad', locationWords.notServed],
  unreadable: ['bad', locationWords.unreadable],
  waiting: ['wait', locationWords.waiting],
  installed: ['good', locationWords.installed],
  served: ['good', locationWords.served],
  empty: ['none', locationWords.empty],
});

const states: States<DeploymentCode> = {
  waiting: ['wait', 'Waiting'],
  pushing: ['wait', 'Being installed'],
  installed: ['good', 'Installed'],
  served: ['good', 'Served'],
  replaced: ['none', 'Replaced'],
  notServed: ['bad', 'Not served'],
  failed: ['bad', 'Not installed'],
};

export function DeploymentState({ of: { state, askedUntil } }: { readonly of: Deployed }) {
  if (state === 'installed' && askedUntil !== undefined) return <State tone="wait">Installed, not served yet</State>;
  const [tone, word] = states[state];
  return <State tone={tone}>{word}</State>;
}

/** What the state means, in a sentence or two. */
export function meaningOf({ state, problem, changedAt, servedAt, askedUntil }: Deployed): string {
  const since = formatDateTime(changedAt);
  switch (state) {
    case 'waiting':
      return 'It is installed as soon as it is issued and the location is enabled.';
    case 'pushing':
      return `The provider was asked on ${since} to install it, and has not answered yet.`;
    case 'installed':
      return askedUntil === undefined
        ? `Since ${since}, as the provider says.`
        : `Installed on ${since}. Until ${formatDateTime(askedUntil)} the endpoint is asked whether it serves it.${
            problem === undefined ? '' : ` So far: ${problem}`
          }`;
    case 'served':
      return `The endpoint has served it since ${formatDateTime(servedAt ?? changedAt)}.`;
    case 'replaced':
      return 'Another certificate has taken its place. It comes back if that one is not served.';
    case 'notServed':
      return problem ?? 'The endpoint did not serve it in time.';
    case 'failed':
      return problem ?? 'The provider did not install it.';
  }
}
