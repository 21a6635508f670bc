// Attribute values that follow from their definitions, as an empty form would show them.
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';

/**
 * Request attributes from the defaults of definitions. A list attribute has choices, not a default, and is left out.
 */
export function defaultAttributes(definitions: readonly BaseAttributeDto[]): RequestAttributeDto[] {
  return definitions.flatMap((definition): RequestAttributeDto[] => {
    if (definition.type !== 'data') return [];
    const { uuid, name, contentType, content, properties } = definition;
    if (properties.list || !content || content.length === 0) return [];
    return [{ uuid, name, contentType, content }];
  });
}
