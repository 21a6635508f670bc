// Schema of a definition. It depends on zod, so it is loaded only if there are definitions to parse.
import { BaseAttributeDto, readLeniently, type BaseAttributeInput } from '@signetry/contract';

/** Throws if the definition is malformed. Content types that are unknown here are kept. */
export function completeDefinition(definition: BaseAttributeInput): BaseAttributeDto {
  const read = readLeniently(BaseAttributeDto, definition, 'connector');
  if (read.success) return read.data;
  throw read.error;
}
