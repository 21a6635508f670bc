// Custom attributes as the platform answers them, their state always said.
import type { customAttributeOperations, OperationAnswer } from '@signetry/contract';

interface WithState {
  readonly enabled: boolean;
}

export type CustomAttributeOfList = OperationAnswer<typeof customAttributeOperations.listCustomAttributes>[number] &
  WithState;
export type CustomAttributeDetail = OperationAnswer<typeof customAttributeOperations.getCustomAttribute> & WithState;
