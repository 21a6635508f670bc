// Placeholders in attribute values of RA profiles. They stand for what only the platform knows, so that a profile stays
// right when the public URL changes.
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';

export interface PlaceholderValues {
  readonly publicUrl: string;
  /** Where CRLs, OCSP and CA certificates are fetched. */
  readonly revocationUrl: string;
  /** Identifier of the authority. */
  readonly authority: string;
}

type ContentItem = RequestAttributeDto['content'][number];

/** Values with their placeholders replaced; only text has any. */
export const expandPlaceholders = (
  attributes: readonly RequestAttributeDto[],
  values: PlaceholderValues,
): RequestAttributeDto[] =>
  attributes.map((attribute) =>
    hasPlaceholder(attribute)
      ? { ...attribute, content: attribute.content.map((item) => expandItem(item, values)) }
      : attribute,
  );

/**
 * Attributes with addresses of this platform for those that have none: where a definition's default is made of
 * placeholders, it stands for what the connector cannot know and nobody should have to type. Leaving the addresses out
 * is a value of its own, which the connector defines; an attribute without value may just as well have been forgotten.
 */
export const withPlatformAddresses = (
  given: readonly RequestAttributeDto[],
  definitions: readonly BaseAttributeDto[],
): RequestAttributeDto[] => {
  const isGiven = (name: string): boolean => given.some((attribute) => attribute.name === name && hasValue(attribute));
  const defaults = definitions.flatMap((definition) => addressesOf(definition) ?? []);
  const missing = defaults.filter(({ name }) => !isGiven(name));
  return [...given.filter(({ name }) => !missing.some((attribute) => attribute.name === name)), ...missing];
};

function addressesOf(definition: BaseAttributeDto): RequestAttributeDto | undefined {
  if (definition.type !== 'data' || definition.properties.list) return undefined;
  const { uuid, name, contentType, content = [] } = definition;
  const isAddress = content.some(({ data }) => typeof data === 'string' && data.search(PLACEHOLDER) !== -1);
  return isAddress ? { uuid, name, contentType, content } : undefined;
}

const hasValue = ({ content }: RequestAttributeDto): boolean =>
  content.some(({ data }) => data !== undefined && data !== null && data !== '');

const PLACEHOLDER = /\{\{(publicUrl|revocationUrl|authority)\}\}/g;

/**
 * How RA profiles made before `{{revocationUrl}}` name CRLs, OCSP and CA certificates. The public URL is often https,
 * which many relying parties do not fetch from (RFC 5280 §8).
 */
const FORMER_BASE = /\{\{publicUrl\}\}(?=\/(?:crl|ocsp|ca)\/)/g;

const hasPlaceholder = ({ content }: RequestAttributeDto): boolean =>
  content.some(({ data }) => typeof data === 'string' && data.includes('{{'));

function expandItem(item: ContentItem, values: PlaceholderValues): ContentItem {
  if (typeof item.data !== 'string') return item;
  const text = item.data.replaceAll(FORMER_BASE, '{{revocationUrl}}');
  return { ...item, data: text.replaceAll(PLACEHOLDER, (_whole, name: keyof PlaceholderValues) => values[name]) };
}
