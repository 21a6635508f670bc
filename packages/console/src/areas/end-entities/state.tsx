// The state of an end entity at its authority.
import type { EndEntityStatus } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const EndEntityState = stateOf<EndEntityStatus>({
  NEW: ['good', 'May request a certificate'],
  INITIALIZED: ['wait', 'Without a password'],
  IN_PROCESS: ['wait', 'Certificate being issued'],
  GENERATED: ['good', 'Has its certificate'],
  REVOKED: ['bad', 'Revoked'],
  FAILED: ['bad', 'Failed'],
  HISTORICAL: ['none', 'Historical'],
  KEY_RECOVERY: ['wait', 'Key recovery'],
  WAITING_FOR_ADD_APPROVAL: ['wait', 'Waiting for approval'],
});
