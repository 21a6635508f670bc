// Definitions as the platform answers them, with what an answer may leave out filled in.
import { BaseAttributeDto, type BaseAttributeInput } from '@signetry/contract';

export const definitionsOf = (answer: readonly BaseAttributeInput[]): readonly BaseAttributeDto[] =>
  answer.map((definition) => BaseAttributeDto.parse(definition));
