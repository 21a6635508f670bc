// Can an account be registered with a key, in a word?
import type { AcmeEabKeyState } from '@signetry/contract';
import { stateOf } from '../../../ui/state.tsx';

export const KeyState = stateOf<AcmeEabKeyState>({
  usable: ['good', 'Usable'],
  used: ['none', 'Used'],
  expired: ['warn', 'Expired'],
  revoked: ['bad', 'Revoked'],
});
