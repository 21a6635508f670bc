// Global metadata as returned by the platform.
import type { globalMetadataOperations, OperationResponse } from '@signetry/contract';

export type GlobalMetadata = OperationResponse<typeof globalMetadataOperations.getGlobalMetadata>;
