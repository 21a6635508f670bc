// Where a connector found an object, according to its metadata.
import { isStorableText } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';

const MAX_CHARACTERS = 300;

/** Returns the first text in the metadata with its label: a file, an endpoint or an alias. Empty if there is none. */
export function describeOrigin(metadata: readonly MetadataAttribute[]): string {
  for (const { properties, content = [] } of metadata) {
    const texts = content.flatMap(({ data }) => (typeof data === 'string' && isStorableText(data) ? [data] : []));
    if (texts.length > 0) return ` (${properties.label}: ${texts.join(', ').slice(0, MAX_CHARACTERS)})`;
  }
  return '';
}
