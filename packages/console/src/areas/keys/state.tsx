// The state of a key item: its lifecycle state, and whether it is enabled.
import type { KeyItemDetailDto, KeyState } from '@signetry/contract';
import { State, stateOf, type States } from '../../ui/state.tsx';

const states: States<KeyState> = {
  'pre-active': ['wait', 'Pre-active'],
  active: ['good', 'Active'],
  deactivated: ['warn', 'Deactivated'],
  compromised: ['bad', 'Compromised'],
  destroyed: ['none', 'Destroyed'],
  destroyedCompromised: ['none', 'Destroyed (compromised)'],
};

const StateOfKey = stateOf<KeyState>(states);

/** Shows "Disabled" only for active items, because items in other states cannot be used anyway. */
export function ItemState({
  item: { state, enabled },
}: {
  readonly item: Pick<KeyItemDetailDto, 'state' | 'enabled'>;
}) {
  return state === 'active' && !enabled ? <State tone="none">Disabled</State> : <StateOfKey of={state} />;
}

export const isDestroyed = ({ state }: Pick<KeyItemDetailDto, 'state'>): boolean =>
  state === 'destroyed' || state === 'destroyedCompromised';

/** Names of the states for use in filters, which are the same as in the list. */
export const stateTexts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(states).map(([state, [, word]]) => [state, word]),
);
