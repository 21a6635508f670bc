// State of a discovery.
import type { DiscoveryStatus } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const stateTexts: Readonly<Record<DiscoveryStatus, string>> = {
  inProgress: 'Searching',
  processing: 'Reading results',
  completed: 'Completed',
  warning: 'Warning',
  failed: 'Failed',
};

export const DiscoveryState = stateOf<DiscoveryStatus>({
  inProgress: ['wait', stateTexts.inProgress],
  processing: ['wait', stateTexts.processing],
  completed: ['good', stateTexts.completed],
  warning: ['warn', stateTexts.warning],
  failed: ['bad', stateTexts.failed],
});
