// State of a connector.
import type { ConnectorStatus } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const ConnectorState = stateOf<ConnectorStatus>({
  connected: ['good', 'Connected'],
  waitingForApproval: ['wait', 'Waiting for approval'],
  failed: ['bad', 'Failed'],
  offline: ['bad', 'Offline'],
});
