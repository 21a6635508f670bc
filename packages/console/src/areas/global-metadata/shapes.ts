// Global metadata as the platform answers it.
import type { globalMetadataOperations, OperationAnswer } from '@signetry/contract';

export type GlobalMetadata = OperationAnswer<typeof globalMetadataOperations.getGlobalMetadata>;
