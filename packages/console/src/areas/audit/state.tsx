// Result of an operation.
import type { OperationResult } from '@signetry/contract';
import { stateOf } from '../../ui/state.tsx';

export const ResultState = stateOf<OperationResult>({
  success: ['good', 'Success'],
  failure: ['bad', 'Denied or failed'],
});
