// The state of an authority. Connectors may report others than these, which are shown as they are.
import { stateOf } from '../../ui/state.tsx';

export const AuthorityState = stateOf<string>({
  connected: ['good', 'Connected'],
  unavailable: ['bad', 'Offline'],
  'unknown to its connector': ['bad', 'Unknown to its connector'],
  'without connector': ['bad', 'No connector'],
  removing: ['wait', 'Being removed'],
});
