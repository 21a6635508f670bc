// How an operation ended.
import type { OperationResult } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const ResultState = stateOf<OperationResult>({
  success: ['good', 'Done'],
  failure: ['bad', 'Refused or failed'],
});
