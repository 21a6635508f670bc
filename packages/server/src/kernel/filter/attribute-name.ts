// Attribute names in filters and rules.
import { AttributeContentType } from '@signetry/contract';

export interface AttributeName {
  readonly name: string;
  readonly contentType: AttributeContentType;
}

/** Parses `name|CONTENTTYPE`; returns undefined for anything else. */
export function readAttributeName(identifier: string): AttributeName | undefined {
  const separator = identifier.lastIndexOf('|');
  const contentType = AttributeContentType.options.find(
    (type) => type.toUpperCase() === identifier.slice(separator + 1),
  );
  const name = identifier.slice(0, Math.max(0, separator));
  return contentType && name !== '' ? { name, contentType } : undefined;
}
