// Status of a token and its components.
import type { TokenInstanceStatus } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const TokenState = stateOf<TokenInstanceStatus>({
  Activated: ['good', 'Activated'],
  Connected: ['good', 'Connected'],
  Deactivated: ['none', 'Deactivated'],
  Warning: ['warn', 'Warning'],
  Disconnected: ['bad', 'Disconnected'],
  Unknown: ['wait', 'Unknown'],
});
