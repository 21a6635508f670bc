// Credential attributes name a credential; a connector is sent the credential itself. Which credentials there are is
// known by a higher area, which registers itself here.
import type { RequestAttributeDto } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import { memberOf } from './content.ts';
import type { ContentItem } from './domain.ts';

/** The credential in the form of `CredentialAttributeContentData`, secrets included; undefined when there is none. */
export type CredentialSource = (uuid: string) => Promise<unknown>;

export function createCredentialExpansion() {
  let source: CredentialSource = () => Promise.resolve(undefined);

  async function expandItem(attribute: RequestAttributeDto, item: ContentItem): Promise<ContentItem> {
    const uuid = memberOf(item.data, 'uuid');
    const credential = typeof uuid === 'string' ? await source(uuid) : undefined;
    if (credential === undefined) throw rejected(`Attribute ${attribute.name} names a credential that does not exist.`);
    return { ...item, data: credential };
  }

  async function expandOne(attribute: RequestAttributeDto): Promise<RequestAttributeDto> {
    if (attribute.contentType !== 'credential') return attribute;
    return { ...attribute, content: await Promise.all(attribute.content.map((item) => expandItem(attribute, item))) };
  }

  return {
    register: (registered: CredentialSource): void => {
      source = registered;
    },
    expand: (attributes: readonly RequestAttributeDto[]): Promise<RequestAttributeDto[]> =>
      Promise.all(attributes.map(expandOne)),
  };
}
