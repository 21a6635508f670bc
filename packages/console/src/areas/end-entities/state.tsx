// State of an end entity at its authority.
import type { EndEntityStatus } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const EndEntityState = stateOf<EndEntityStatus>({
  NEW: ['good', 'Can request a certificate'],
  INITIALIZED: ['wait', 'No password'],
  IN_PROCESS: ['wait', 'Issuing certificate'],
  GENERATED: ['good', 'Certificate issued'],
  REVOKED: ['bad', 'Revoked'],
  FAILED: ['bad', 'Failed'],
  HISTORICAL: ['none', 'Historical'],
  KEY_RECOVERY: ['wait', 'Key recovery'],
  WAITING_FOR_ADD_APPROVAL: ['wait', 'Waiting for approval'],
});
