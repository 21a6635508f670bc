// Secrets in attribute values. They are removed before values are stored or displayed, and restored before a connector
// is called.
import type { AttributeContentType, RequestAttributeDto, Resource } from '@signetry/contract';
import { memberOf } from './content.ts';
import type { ContentItem } from './attribute-terms.ts';

type Contents = Pick<RequestAttributeDto, 'contentType'> & { content?: ContentItem[] | undefined };

/**
 * Files in these objects are key stores. Some are not encrypted, and the password of an encrypted one can be guessed by
 * anyone who has the file, so the files are treated as secrets.
 */
const HOLDERS_OF_KEY_STORES: ReadonlySet<string> = new Set<Resource>([
  'authorities',
  'credentials',
  'entities',
  'tokens',
]);

/** Returns whether values of this type are secrets in objects of this resource. */
export const isSecret = (contentType: AttributeContentType, resource?: string): boolean =>
  contentType === 'secret' || (contentType === 'file' && resource !== undefined && HOLDERS_OF_KEY_STORES.has(resource));

/** Returns whether an item lacks its secret and therefore stands for the stored one. */
function isEmpty(contentType: AttributeContentType, item: ContentItem): boolean {
  const value = memberOf(item.data, contentType === 'file' ? 'content' : 'secret');
  return typeof value !== 'string' || value === '';
}

/** Returns the cleartext part of a secret item, which is stored and displayed: the reference without the secret. */
export function maskedItem(contentType: AttributeContentType, item: ContentItem): ContentItem {
  const reference = item.reference === undefined ? {} : { reference: item.reference };
  // A file item requires all three members.
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

/** Returns attributes without their secrets, for responses; `resource` is the resource of their object. */
export const maskSecrets = <Attribute extends Contents>(
  attributes: readonly Attribute[],
  resource?: Resource,
): Attribute[] =>
  attributes.map((attribute) =>
    isSecret(attribute.contentType, resource) && attribute.content
      ? { ...attribute, content: attribute.content.map((item) => maskedItem(attribute.contentType, item)) }
      : attribute,
  );

/** Returns whether an attribute is to keep a stored secret. */
export const requestsStoredSecret = ({ contentType, content }: RequestAttributeDto, resource?: Resource): boolean =>
  isSecret(contentType, resource) && content.some((item) => isEmpty(contentType, item));

/**
 * Fills in items that lack a secret with the stored item that has the same reference or, if there is none, with the one
 * at the same position. Items without a stored secret stay empty and are rejected when the values are validated.
 */
export function retainSecrets(
  requested: readonly RequestAttributeDto[],
  stored: readonly RequestAttributeDto[],
  resource?: Resource,
): RequestAttributeDto[] {
  return requested.map((attribute) => {
    if (!requestsStoredSecret(attribute, resource)) return attribute;
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
