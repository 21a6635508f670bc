// The state of an item of a key: where it is in its life, and whether it may be used now.
import type { KeyItemDetailDto, KeyState } from '@signetry/contract';
import { State, stateOf, type States } from '../../ui/state.tsx';

const states: States<KeyState> = {
  'pre-active': ['wait', 'Not active yet'],
  active: ['good', 'Active'],
  deactivated: ['warn', 'Deactivated'],
  compromised: ['bad', 'Compromised'],
  destroyed: ['none', 'Destroyed'],
  destroyedCompromised: ['none', 'Destroyed, after compromise'],
};

const StateOfKey = stateOf<KeyState>(states);

/** Whether it is enabled matters for active ones only: no others can be used. */
export function ItemState({
  item: { state, enabled },
}: {
  readonly item: Pick<KeyItemDetailDto, 'state' | 'enabled'>;
}) {
  return state === 'active' && !enabled ? <State tone="none">Disabled</State> : <StateOfKey of={state} />;
}

export const isDestroyed = ({ state }: Pick<KeyItemDetailDto, 'state'>): boolean =>
  state === 'destroyed' || state === 'destroyedCompromised';

/** Filters name states as the list does. */
export const stateWords: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(states).map(([state, [, word]]) => [state, word]),
);
