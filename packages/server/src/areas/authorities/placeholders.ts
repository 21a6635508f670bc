// Placeholders in RA profile attribute values. They stand for values that only the platform knows, so that a profile
// remains correct when the public URL changes.
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';

export interface PlaceholderValues {
  readonly publicUrl: string;
  /** Base URL for CRLs, OCSP and CA certificates. */
  readonly revocationUrl: string;
  /** The authority's identifier. */
  readonly authority: string;
}

type ContentItem = RequestAttributeDto['content'][number];

/** Returns the values with their placeholders replaced; only text can contain them. */
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
 * Adds the platform's URLs to attributes without a value. A default that consists of placeholders represents values
 * that the connector cannot know and that users should not have to enter. The connector defines a separate value for
 * deliberately omitting the URLs; a missing value may simply have been forgotten.
 */
export const withPlatformUrls = (
  given: readonly RequestAttributeDto[],
  definitions: readonly BaseAttributeDto[],
): RequestAttributeDto[] => {
  const isGiven = (name: string): boolean => given.some((attribute) => attribute.name === name && hasValue(attribute));
  const defaults = definitions.flatMap((definition) => urlDefaultOf(definition) ?? []);
  const missing = defaults.filter(({ name }) => !isGiven(name));
  return [...given.filter(({ name }) => !missing.some((attribute) => attribute.name === name)), ...missing];
};

function urlDefaultOf(definition: BaseAttributeDto): RequestAttributeDto | undefined {
  if (definition.type !== 'data' || definition.properties.list) return undefined;
  const { uuid, name, contentType, content = [] } = definition;
  const isAddress = content.some(({ data }) => typeof data === 'string' && data.search(PLACEHOLDER) !== -1);
  return isAddress ? { uuid, name, contentType, content } : undefined;
}

const hasValue = ({ content }: RequestAttributeDto): boolean =>
  content.some(({ data }) => data !== undefined && data !== null && data !== '');

const PLACEHOLDER = /\{\{(publicUrl|revocationUrl|authority)\}\}/g;

/**
 * Base URL for CRLs, OCSP and CA certificates in RA profiles created before `{{revocationUrl}}`. The public URL often
 * uses https, from which many relying parties do not fetch (RFC 5280 §8).
 */
const FORMER_BASE = /\{\{publicUrl\}\}(?=\/(?:crl|ocsp|ca)\/)/g;

const hasPlaceholder = ({ content }: RequestAttributeDto): boolean =>
  content.some(({ data }) => typeof data === 'string' && data.includes('{{'));

function expandItem(item: ContentItem, values: PlaceholderValues): ContentItem {
  if (typeof item.data !== 'string') return item;
  const text = item.data.replaceAll(FORMER_BASE, '{{revocationUrl}}');
  return { ...item, data: text.replaceAll(PLACEHOLDER, (_whole, name: keyof PlaceholderValues) => values[name]) };
}
