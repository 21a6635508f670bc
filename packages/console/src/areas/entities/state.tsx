// States of entities and of certificates in locations, with their meaning.
import type { DeploymentState as DeploymentCode, LocationState as LocationCode } from '@signetry/contract';
import { formatDateTime } from '../../format/dates.ts';
import type { DeployedCertificate } from '../../queries/entities.ts';
import { State, stateOf, type States } from '../../ui/state.tsx';

/** State that the connector of an entity reports. */
export const EntityState = stateOf({
  connected: ['good', 'Connected'],
  unavailable: ['bad', 'Not reachable'],
  'unknown to its connector': ['bad', 'Unknown to connector'],
  'without connector': ['bad', 'No connector'],
} as States<string>); // Other states are shown unchanged.

export const locationTexts: Readonly<Record<LocationCode, string>> = {
  failed: 'Not installed',
  notServed: 'Not served',
  unreadable: 'Unreadable',
  waiting: 'In progress',
  installed: 'Installed',
  served: 'Served',
  empty: 'Empty',
};

export const LocationState = stateOf<LocationCode>({
  failed: ['bad', locationTexts.failed],
  notServed: ['bad', locationTexts.notServed],
  unreadable: ['bad', locationTexts.unreadable],
  waiting: ['wait', locationTexts.waiting],
  installed: ['good', locationTexts.installed],
  served: ['good', locationTexts.served],
  empty: ['none', locationTexts.empty],
});

const states: States<DeploymentCode> = {
  waiting: ['wait', 'Waiting'],
  pushing: ['wait', 'Installing'],
  installed: ['good', 'Installed'],
  served: ['good', 'Served'],
  replaced: ['none', 'Replaced'],
  notServed: ['bad', 'Not served'],
  failed: ['bad', 'Not installed'],
};

export function DeploymentState({ of: { state, askedUntil } }: { readonly of: DeployedCertificate }) {
  if (state === 'installed' && askedUntil !== undefined) return <State tone="wait">Installed, not served yet</State>;
  const [tone, word] = states[state];
  return <State tone={tone}>{word}</State>;
}

/** Explains the state in one or two sentences. */
export function meaningOf({ state, problem, changedAt, servedAt, askedUntil }: DeployedCertificate): string {
  const since = formatDateTime(changedAt);
  switch (state) {
    case 'waiting':
      return 'It is installed once it is issued and the location is enabled.';
    case 'pushing':
      return `Installation was requested from the provider on ${since}. It has not responded yet.`;
    case 'installed':
      return askedUntil === undefined
        ? `Installed since ${since}, according to the provider.`
        : `Installed on ${since}. The endpoint is checked until ${formatDateTime(askedUntil)}.${
            problem === undefined ? '' : ` So far: ${problem}`
          }`;
    case 'served':
      return `Served by the endpoint since ${formatDateTime(servedAt ?? changedAt)}.`;
    case 'replaced':
      return 'Replaced by a different certificate. It is restored if that certificate is not served.';
    case 'notServed':
      return problem ?? 'The endpoint did not serve it in time.';
    case 'failed':
      return problem ?? 'The provider did not install it.';
  }
}
