// How an authority is. Its connector may say more than the platform knows a word for.
import { stateOf } from '../../ui/state.tsx';

export const AuthorityState = stateOf<string>({
  connected: ['good', 'Connected'],
  unavailable: ['bad', 'Offline'],
  'unknown to its connector': ['bad', 'Unknown to its connector'],
  'without connector': ['bad', 'Without connector'],
  removing: ['wait', 'Being removed'],
});
