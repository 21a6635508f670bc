// Where a connector found something, in the words of its own metadata.
import { isStorableText } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';

const MAX_CHARACTERS = 300;

/** The first text of the metadata with its label, which is a file, an endpoint or an alias. Empty without any. */
export function whereFound(metadata: readonly MetadataAttribute[]): string {
  for (const { properties, content = [] } of metadata) {
    const texts = content.flatMap(({ data }) => (typeof data === 'string' && isStorableText(data) ? [data] : []));
    if (texts.length > 0) return ` (${properties.label}: ${texts.join(', ').slice(0, MAX_CHARACTERS)})`;
  }
  return '';
}
