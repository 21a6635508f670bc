// State of a discovery.
import type { DiscoveryStatus } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const stateWords: Readonly<Record<DiscoveryStatus, string>> = {
  inProgress: 'Searching',
  processing: 'Reading results',
  completed: 'Completed',
  warning: 'Warning',
  failed: 'Failed',
};

export const DiscoveryState = stateOf<DiscoveryStatus>({
  inProgress: ['wait', stateWords.inProgress],
  processing: ['wait', stateWords.processing],
  completed: ['good', stateWords.completed],
  warning: ['warn', stateWords.warning],
  failed: ['bad', stateWords.failed],
});
