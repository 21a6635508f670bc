// Custom attributes as returned by the platform, with their state always present.
import type { customAttributeOperations, OperationAnswer } from '@signetry/contract';

interface WithState {
  readonly enabled: boolean;
}

export type CustomAttributeOfList = OperationAnswer<typeof customAttributeOperations.listCustomAttributes>[number] &
  WithState;
export type CustomAttributeDetail = OperationAnswer<typeof customAttributeOperations.getCustomAttribute> & WithState;
