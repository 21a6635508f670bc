// The schema of a definition. It depends on zod, so it is loaded only where there are definitions to parse.
import { BaseAttributeDto, type BaseAttributeInput } from '@signetry/contract';

export const completed = (definition: BaseAttributeInput): BaseAttributeDto => BaseAttributeDto.parse(definition);
