// The state of a one-time secret: whether a request can be made with it.
import type { EnrolmentSecretState } from '@signetry/contract';
import { stateOf } from '../../../ui/state.tsx';

export const SecretState = stateOf<EnrolmentSecretState>({
  usable: ['good', 'Usable'],
  used: ['none', 'Used'],
  expired: ['warn', 'Expired'],
  withdrawn: ['bad', 'Withdrawn'],
});
