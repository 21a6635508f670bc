// The state of an external account key: whether an account can be registered with it.
import type { AcmeEabKeyState } from '@signetry/contract';
import { stateOf } from '../../../ui/state.tsx';

export const KeyState = stateOf<AcmeEabKeyState>({
  usable: ['good', 'Usable'],
  used: ['none', 'Used'],
  expired: ['warn', 'Expired'],
  revoked: ['bad', 'Revoked'],
});
