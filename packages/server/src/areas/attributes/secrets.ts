// Secrets inside attribute values: taken out before values are stored or shown, put back before a connector is called.
import type { AttributeContentType, RequestAttributeDto, Resource } from '@signetry/contract';
import { memberOf } from './content.ts';
import type { ContentItem } from './attribute-terms.ts';

type Contents = Pick<RequestAttributeDto, 'contentType'> & { content?: ContentItem[] | undefined };

/**
 * Files of these objects are key stores. Some are not encrypted, and the password of one that is can be guessed by
 * whoever has the file, so they are secrets as well.
 */
const HOLDERS_OF_KEY_STORES: ReadonlySet<string> = new Set<Resource>([
  'authorities',
  'credentials',
  'entities',
  'tokens',
]);

/** Are values of this type secrets, in objects of this resource? */
export const isSecret = (contentType: AttributeContentType, resource?: string): boolean =>
  contentType === 'secret' || (contentType === 'file' && resource !== undefined && HOLDERS_OF_KEY_STORES.has(resource));

/** Does an item lack its secret? It stands for the stored one then. */
function isEmpty(contentType: AttributeContentType, item: ContentItem): boolean {
  const value = memberOf(item.data, contentType === 'file' ? 'content' : 'secret');
  return typeof value !== 'string' || value === '';
}

/** An item of a secret as it is stored in the clear and shown: the reference stays, the secret does not. */
export function maskedItem(contentType: AttributeContentType, item: ContentItem): ContentItem {
  const reference = item.reference === undefined ? {} : { reference: item.reference };
  // The form of a file has all three members.
  if (contentType === 'file') {
    return {
      ...reference,
      data: { content: '', fileName: textOf(item, 'fileName'), mimeType: textOf(item, 'mimeType') },
    };
  }
  const protectionLevel = memberOf(item.data, 'protectionLevel');
  return { ...reference, data: typeof protectionLevel === 'string' ? { protectionLevel } : {} };
}

function textOf(item: ContentItem, member: string): string {
  const text = memberOf(item.data, member);
  return typeof text === 'string' ? text : '';
}

/** Attributes without their secrets, for answers; `resource` is that of the object that they belong to. */
export const maskSecrets = <Attribute extends Contents>(
  attributes: readonly Attribute[],
  resource?: Resource,
): Attribute[] =>
  attributes.map((attribute) =>
    isSecret(attribute.contentType, resource) && attribute.content
      ? { ...attribute, content: attribute.content.map((item) => maskedItem(attribute.contentType, item)) }
      : attribute,
  );

/** Does an attribute ask to keep a stored secret? */
export const asksToKeepSecret = ({ contentType, content }: RequestAttributeDto, resource?: Resource): boolean =>
  isSecret(contentType, resource) && content.some((item) => isEmpty(contentType, item));

/**
 * Fills items that carry no secret with the stored one: the one of the same reference, else the one in the same place.
 * An item for which nothing is stored stays empty and is refused when the values are checked.
 */
export function keepSecrets(
  requested: readonly RequestAttributeDto[],
  stored: readonly RequestAttributeDto[],
  resource?: Resource,
): RequestAttributeDto[] {
  return requested.map((attribute) => {
    if (!asksToKeepSecret(attribute, resource)) return attribute;
    const { name, contentType } = attribute;
    const known = stored.find((each) => each.name === name && each.contentType === contentType)?.content ?? [];
    const content = attribute.content.map((item, position) => {
      if (!isEmpty(contentType, item)) return item;
      const byReference =
        item.reference === undefined ? undefined : known.find(({ reference }) => reference === item.reference);
      const kept = byReference ?? known[position];
      return kept ? { ...item, data: kept.data } : item;
    });
    return { ...attribute, content };
  });
}
