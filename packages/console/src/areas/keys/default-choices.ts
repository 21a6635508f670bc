// Initial values of signature and cipher forms.
import type { BaseAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import { isField } from '../../ui/attributes/attribute-values.ts';

/** Selects the first scheme and digest unless another value is preferred; `preferred` is keyed by attribute name. */
export const defaultChoices = (
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
