// What the form of a signature or a cipher begins with.
import type { BaseAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import { isField } from '../../ui/attributes/attribute-values.ts';

/** The usual scheme and digest are the first ones, unless others are preferred; `preferred` is by name. */
export const usualChoices = (
  definitions: readonly BaseAttributeDto[],
  preferred: Readonly<Record<string, unknown>> = {},
): readonly ResponseAttributeDto[] =>
  definitions.filter(isField).flatMap(({ name, type, contentType, properties, content = [] }) => {
    const value = { name, label: properties.label, type, contentType };
    if (properties.list) {
      const wanted = content.find(({ data }) => data === preferred[name]) ?? content[0];
      return [{ ...value, content: wanted ? [wanted] : [] }];
    }
    return name in preferred ? [{ ...value, content: [{ data: preferred[name] }] }] : [];
  });
