// Schema of a definition. It depends on zod, so it is loaded only if there are definitions to parse.
import { BaseAttributeDto, type BaseAttributeInput } from '@signetry/contract';

export const completeDefinition = (definition: BaseAttributeInput): BaseAttributeDto =>
  BaseAttributeDto.parse(definition);
