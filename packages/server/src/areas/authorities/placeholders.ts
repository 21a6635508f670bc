// Placeholders in attribute values of RA profiles. They stand for what only the platform knows, so that a profile stays
// right when the public URL changes.
import type { RequestAttributeDto } from '@signetry/contract';

export interface PlaceholderValues {
  readonly publicUrl: string;
  /** Identifier of the authority. */
  readonly authority: string;
}

type ContentItem = RequestAttributeDto['content'][number];

/** Values with every `{{publicUrl}}` and `{{authority}}` replaced; only text has placeholders. */
export const expandPlaceholders = (
  attributes: readonly RequestAttributeDto[],
  values: PlaceholderValues,
): RequestAttributeDto[] =>
  attributes.map((attribute) =>
    hasPlaceholder(attribute)
      ? { ...attribute, content: attribute.content.map((item) => expandItem(item, values)) }
      : attribute,
  );

const PLACEHOLDER = /\{\{(publicUrl|authority)\}\}/g;

const hasPlaceholder = ({ content }: RequestAttributeDto): boolean =>
  content.some(({ data }) => typeof data === 'string' && data.includes('{{'));

function expandItem(item: ContentItem, values: PlaceholderValues): ContentItem {
  if (typeof item.data !== 'string') return item;
  return { ...item, data: item.data.replaceAll(PLACEHOLDER, (_whole, name: keyof PlaceholderValues) => values[name]) };
}
