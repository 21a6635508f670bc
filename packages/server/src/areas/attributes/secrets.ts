// Secrets inside attribute values: taken out before values are stored or shown, put back before a connector is called.
import type { RequestAttributeDto } from '@signetry/contract';
import { memberOf } from './content.ts';
import type { ContentItem } from './domain.ts';

/** The value itself; undefined when an item carries none. */
function secretOf(item: ContentItem): string | undefined {
  const secret = memberOf(item.data, 'secret');
  return typeof secret === 'string' && secret !== '' ? secret : undefined;
}

/** An item of a secret as it is stored in the clear and shown: the reference stays, the secret does not. */
export function maskedItem(item: ContentItem): ContentItem {
  const protectionLevel = memberOf(item.data, 'protectionLevel');
  const data = typeof protectionLevel === 'string' ? { protectionLevel } : {};
  return { ...(item.reference === undefined ? {} : { reference: item.reference }), data };
}

/** Attributes without their secrets, for answers. */
export const maskSecrets = <
  Attribute extends Pick<RequestAttributeDto, 'contentType'> & { content?: ContentItem[] | undefined },
>(
  attributes: readonly Attribute[],
): Attribute[] =>
  attributes.map((attribute) =>
    attribute.contentType === 'secret' && attribute.content
      ? { ...attribute, content: attribute.content.map(maskedItem) }
      : attribute,
  );

/** Does an attribute ask to keep a stored secret? */
export const asksToKeepSecret = (attribute: RequestAttributeDto): boolean =>
  attribute.contentType === 'secret' && attribute.content.some((item) => secretOf(item) === undefined);

/**
 * Fills items that carry no secret with the stored one: the one of the same reference, else the one in the same place.
 * An item for which nothing is stored stays empty and is refused when the values are checked.
 */
export function keepSecrets(
  requested: readonly RequestAttributeDto[],
  stored: readonly RequestAttributeDto[],
): RequestAttributeDto[] {
  return requested.map((attribute) => {
    if (!asksToKeepSecret(attribute)) return attribute;
    const known =
      stored.find(({ name, contentType }) => name === attribute.name && contentType === 'secret')?.content ?? [];
    const content = attribute.content.map((item, position) => {
      if (secretOf(item) !== undefined) return item;
      const byReference =
        item.reference === undefined ? undefined : known.find(({ reference }) => reference === item.reference);
      const kept = byReference ?? known[position];
      return kept ? { ...item, data: kept.data } : item;
    });
    return { ...attribute, content };
  });
}
