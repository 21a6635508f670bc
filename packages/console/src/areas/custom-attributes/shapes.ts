// Custom attributes as returned by the platform, with their state always present.
import type { customAttributeOperations, OperationResponse } from '@signetry/contract';

interface Enableable {
  readonly enabled: boolean;
}

export type ListedCustomAttribute = OperationResponse<typeof customAttributeOperations.listCustomAttributes>[number] &
  Enableable;
export type CustomAttributeDetail = OperationResponse<typeof customAttributeOperations.getCustomAttribute> & Enableable;
