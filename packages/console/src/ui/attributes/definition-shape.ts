// The shape of a definition as a value: it brings the library of shapes with it, so it is loaded where definitions are
// read.
import { BaseAttributeDto, type BaseAttributeInput } from '@signetry/contract';

export const completed = (definition: BaseAttributeInput): BaseAttributeDto => BaseAttributeDto.parse(definition);
