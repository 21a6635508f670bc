// Attribute values derived from their definitions, as an empty form would show them. No I/O.
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';

/**
 * Returns request attributes with the default values of their definitions. List attributes have choices instead of a
 * default and are omitted.
 */
export function defaultAttributes(definitions: readonly BaseAttributeDto[]): RequestAttributeDto[] {
  return definitions.flatMap((definition): RequestAttributeDto[] => {
    if (definition.type !== 'data') return [];
    const { uuid, name, contentType, content, properties } = definition;
    if (properties.list || !content || content.length === 0) return [];
    return [{ uuid, name, contentType, content }];
  });
}
