// An authority's state. States that connectors report but the console does not know are shown unchanged.
import { stateOf } from '../../ui/state.tsx';

export const AuthorityState = stateOf<string>({
  connected: ['good', 'Connected'],
  unavailable: ['bad', 'Offline'],
  'unknown to its connector': ['bad', 'Unknown to connector'],
  'without connector': ['bad', 'No connector'],
  removing: ['wait', 'Being removed'],
});
