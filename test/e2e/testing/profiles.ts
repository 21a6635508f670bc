// RA profiles for issuance: the one created on the first start, and those of additional authorities.
import type { Client } from '@signetry/client';
import type { RequestAttributeDto } from '@signetry/contract';
import { expect } from 'vitest';

/** Path parameters of certificate operations. */
export interface IssuingPath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/** Returns the RA profile `default` of the authority "Signetry Root". */
export async function defaultProfile(client: Client): Promise<IssuingPath> {
  const profile = (await client.raProfiles.listRaProfiles()).find(({ name }) => name === 'default');
  return { authorityUuid: profile?.authorityInstanceUuid ?? '', raProfileUuid: profile?.uuid ?? '' };
}

export interface AuthorityOptions {
  readonly name: string;
  /** Connector of the authority; if absent, the built-in software authority. */
  readonly connectorUuid?: string;
  readonly kind?: string;
  /** Attribute values by name. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Attribute values of the RA profile, by name. */
  readonly raProfileValues?: Readonly<Record<string, unknown>>;
}

/** Creates an authority and an enabled RA profile with the defaults of its form. */
export async function createAuthority(client: Client, options: AuthorityOptions): Promise<IssuingPath> {
  const { name, kind = 'SoftwareCA', values = {}, raProfileValues = {} } = options;
  const connectorUuid = options.connectorUuid ?? (await builtInConnector(client));
  const definitions = await client.connectors.getConnectorAttributes({
    params: { uuid: connectorUuid, functionGroup: 'authorityProvider', kind },
  });
  const { uuid: authorityUuid } = await client.authorities.createAuthorityInstance({
    body: { name, connectorUuid, kind, attributes: attributesOf(definitions, values) },
  });
  const form = await client.authorities.listRAProfileAttributes({ params: { uuid: authorityUuid } });
  const { uuid: raProfileUuid } = await client.raProfiles.createRaProfile({
    params: { authorityUuid },
    body: {
      name: `for-${name.toLowerCase().replaceAll(' ', '-')}`,
      attributes: attributesOf(form, raProfileValues),
      enabled: true,
    },
  });
  return { authorityUuid, raProfileUuid };
}

async function builtInConnector(client: Client): Promise<string> {
  const { connectorUuid } = await client.authorities
    .listAuthorityInstances()
    .then((all) => all.find(({ name }) => name === 'Signetry Root') ?? expect.fail('there is no first authority'));
  return connectorUuid ?? expect.fail('the first authority has no connector');
}

/** Definitions as the API returns them. */
type AttributeForm = Awaited<ReturnType<Client['connectors']['getConnectorAttributes']>>;

/** Returns the definitions with group fields included, if the connector declares them in advance. */
export const fieldsOf = (definitions: AttributeForm): AttributeForm =>
  definitions.flatMap((definition) => (definition.type === 'group' ? (definition.content ?? []) : [definition]));

/** Returns what a form would send: specified values, and the defaults of fields without choices. */
export function attributesOf(
  definitions: AttributeForm,
  values: Readonly<Record<string, unknown>>,
): RequestAttributeDto[] {
  return fieldsOf(definitions).flatMap((definition): RequestAttributeDto[] => {
    if (definition.type !== 'data') return [];
    const { uuid, name, contentType, content = [], properties } = definition;
    const value = values[name];
    if (value === undefined)
      return properties.list || content.length === 0 ? [] : [{ uuid, name, contentType, content }];
    // Every content type has data.
    const offered = content.find((item) => (item as { data: unknown }).data === value);
    // The value matches the content type.
    return [{ uuid, name, contentType, content: [offered ?? { data: value }] }] as RequestAttributeDto[];
  });
}
