// Attribute values that follow from their definitions: what a form would be filled with before anybody typed.
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';

/**
 * Request attributes from the defaults of definitions. A list attribute has choices, not a default; it is left out unless
 * `given` names a value, which wins over any default. Keys of `given` are attribute names.
 */
export function defaultAttributes(
  definitions: readonly BaseAttributeDto[],
  given: Readonly<Record<string, string | number | boolean>>,
): RequestAttributeDto[] {
  return definitions.flatMap((definition): RequestAttributeDto[] => {
    if (definition.type !== 'data') return [];
    const { uuid, name, contentType, content, properties } = definition;
    const value = given[name];
    if (value !== undefined) return [{ uuid, name, contentType, content: [{ data: value }] }];
    if (properties.list || !content || content.length === 0) return [];
    return [{ uuid, name, contentType, content }];
  });
}
