// Attributes of issue and revoke calls: definitions come from the authority, values are checked by it and by us.
import { authorityProviderOperations, BaseAttributeDto, type RequestAttributeDto } from '@signetry/contract';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine, ValueSetToWrite } from '../attributes/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { IssuingProfile } from '../ra-profiles/index.ts';

const OPERATIONS = {
  issue: {
    list: authorityProviderOperations.listIssueCertificateAttributes,
    validate: authorityProviderOperations.validateIssueCertificateAttributes,
  },
  revoke: {
    list: authorityProviderOperations.listRevokeCertificateAttributes,
    validate: authorityProviderOperations.validateRevokeCertificateAttributes,
  },
} as const;

export type CallAttributes = ReturnType<typeof createCallAttributes>;

/** `kind` is the call that the attributes belong to. */
export function createCallAttributes(
  kind: 'issue' | 'revoke',
  options: { readonly platform: Platform; readonly attributes: AttributeEngine; readonly connectors: Connectors },
) {
  const { platform, attributes, connectors } = options;
  const operations = OPERATIONS[kind];

  /** Definitions change rarely and are asked for with every certificate. */
  const definitionsOf = createExpiringCache<string, readonly BaseAttributeDto[]>({
    clock: platform.clock,
    load: (key) => {
      const [connectorUuid = '', authority = ''] = key.split('/');
      return fetchDefinitions({ connectorUuid, authorityConnectorUuid: authority });
    },
  });

  async function fetchDefinitions(
    profile: Pick<IssuingProfile, 'connectorUuid' | 'authorityConnectorUuid'>,
  ): Promise<BaseAttributeDto[]> {
    const client = await connectors.client(profile.connectorUuid);
    const answer = await client.call(operations.list, { params: { uuid: profile.authorityConnectorUuid } });
    return answer.map((definition) => BaseAttributeDto.parse(definition));
  }

  /** Refuses values that the authority or we do not accept; answers them in the form to be stored and sent. */
  async function validate(
    profile: IssuingProfile,
    requested: readonly RequestAttributeDto[],
  ): Promise<readonly RequestAttributeDto[]> {
    if (requested.length === 0) {
      const known = await definitionsOf.get(`${profile.connectorUuid}/${profile.authorityConnectorUuid}`);
      if (!known.some(isRequired)) return requested;
    }
    const client = await connectors.client(profile.connectorUuid);
    await client.call(operations.validate, { params: { uuid: profile.authorityConnectorUuid }, body: [...requested] });
    const definitions = await fetchDefinitions(profile);
    return attributes.validate({ connectorUuid: profile.connectorUuid, definitions, requested });
  }

  const scopeOf = (profile: IssuingProfile) => ({ connectorUuid: profile.connectorUuid, operation: kind });
  const objectOf = (certificateUuid: string) => ({ resource: 'certificates', uuid: certificateUuid }) as const;

  return {
    /** Fresh definitions, for forms. */
    definitions: fetchDefinitions,
    validate,
    /** Custom attributes of a request; their definitions are an area of their own. */
    refuseCustom: attributes.refuseCustomAttributes,
    /** The values as the attribute engine keeps them with the certificate. */
    valueSet: (
      certificateUuid: string,
      profile: IssuingProfile,
      accepted: readonly RequestAttributeDto[],
    ): ValueSetToWrite => ({
      object: objectOf(certificateUuid),
      scope: scopeOf(profile),
      attributes: accepted,
    }),
    read: (certificateUuid: string, profile: IssuingProfile): Promise<RequestAttributeDto[]> =>
      attributes.readForConnector(objectOf(certificateUuid), scopeOf(profile)),
  };
}

const isRequired = (definition: BaseAttributeDto): boolean =>
  definition.type === 'data' && definition.properties.required === true;
