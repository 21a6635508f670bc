// Global metadata as returned by the platform.
import type { globalMetadataOperations, OperationAnswer } from '@signetry/contract';

export type GlobalMetadata = OperationAnswer<typeof globalMetadataOperations.getGlobalMetadata>;
