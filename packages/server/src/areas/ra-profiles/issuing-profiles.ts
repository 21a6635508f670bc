// RA profiles as issuing reads them: with everything that a call to the authority needs, remembered for a moment.
import { authorityProviderOperations, type BaseAttributeDto, type RequestAttributeDto } from '@signetry/contract';
import { AppError, notFound } from '../../kernel/errors.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { Authorities } from '../authorities/index.ts';
import { CONNECTION_TTL_MS, type Connectors } from '../connectors/index.ts';
import { raProfiles } from './store.ts';
import { validationSettings, type ValidationSettings } from './domain.ts';
import type { RaProfileRow } from './tables.ts';

/** What issuing needs to know. Attributes carry secrets: never log them. */
export interface IssuingProfile {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly authorityUuid: string;
  readonly authorityName: string;
  /** Identifier of the authority at its connector. */
  readonly authorityConnectorUuid: string;
  readonly connectorUuid: string;
  readonly kind: string;
  /** Its connector is of the first generation, which these operations leave out. */
  readonly legacy: boolean;
  /** Abilities of the connector beyond the interface. */
  readonly features: readonly string[];
  /** In the form in which the connector gets them: secrets, credentials and placeholders are filled in. */
  readonly raProfileAttributes: RequestAttributeDto[];
  readonly validation: ValidationSettings;
  readonly caCertificateUuid: string | null;
}

export type IssuingProfiles = ReturnType<typeof createIssuingProfiles>;

export function createIssuingProfiles(
  platform: Platform,
  areas: { readonly attributes: AttributeEngine; readonly connectors: Connectors; readonly authorities: Authorities },
) {
  const { database, clock } = platform;
  const { attributes, connectors, authorities } = areas;
  const cache = createExpiringCache({ clock, ttlMs: CONNECTION_TTL_MS, load });

  async function load(uuid: string): Promise<IssuingProfile> {
    const row = await raProfiles.findOne(database.executor, uuid);
    if (!row) throw notFound('RA profile', uuid);
    if (row.authority_uuid === null) throw withoutAuthority(row);
    const { authority } = await authorities.reach(row.authority_uuid);
    const stored = await attributes.readForConnector(
      { resource: 'raProfiles', uuid },
      { connectorUuid: authority.connectorUuid },
    );
    return {
      uuid,
      name: row.name,
      enabled: row.enabled,
      authorityUuid: authority.uuid,
      authorityName: authority.name,
      authorityConnectorUuid: authority.connectorAuthorityUuid,
      connectorUuid: authority.connectorUuid,
      kind: authority.kind,
      legacy: authority.isLegacy,
      features: authority.features,
      raProfileAttributes: await authorities.raProfileAttributesToSend(authority.uuid, stored),
      validation: validationSettings(row),
      caCertificateUuid: row.ca_certificate_uuid,
    };
  }

  /** The profile of an authority; 404 when there is none there, whatever its state. */
  async function forIssuing(authorityUuid: string, raProfileUuid: string): Promise<IssuingProfile> {
    const profile = await cache.get(raProfileUuid);
    if (profile.authorityUuid !== authorityUuid.toLowerCase()) throw notFound('RA profile', raProfileUuid);
    return profile;
  }

  const definitions = createExpiringCache({
    clock,
    ttlMs: CONNECTION_TTL_MS,
    load: async (key: string): Promise<BaseAttributeDto[]> => {
      const [raProfileUuid = '', purpose] = key.split(' ');
      const { connectorUuid, authorityConnectorUuid } = await requireCurrent(raProfileUuid);
      const client = await connectors.client(connectorUuid);
      const operation =
        purpose === 'issue'
          ? authorityProviderOperations.listIssueCertificateAttributes
          : authorityProviderOperations.listRevokeCertificateAttributes;
      return await client.call(operation, { params: { uuid: authorityConnectorUuid } });
    },
  });

  /** Authorities of the first generation do not take part in these operations (404). */
  async function requireCurrent(raProfileUuid: string): Promise<IssuingProfile> {
    const profile = await cache.get(raProfileUuid);
    if (profile.legacy) throw notFound('Certificate attributes of RA profile', profile.name);
    return profile;
  }

  /** Definitions of the attributes that a certificate is issued or revoked with. */
  const certificateDefinitions = (
    profile: Pick<IssuingProfile, 'uuid'>,
    purpose: 'issue' | 'revoke',
  ): Promise<BaseAttributeDto[]> => definitions.get(`${profile.uuid} ${purpose}`);

  /**
   * Has the authority and the platform judge the attributes of a certificate operation; answers them in the form to be
   * stored and sent. Nothing given where nothing is required needs no call.
   */
  async function acceptCertificateAttributes(
    profile: Pick<IssuingProfile, 'uuid'>,
    given: {
      readonly purpose: 'issue' | 'revoke';
      readonly requested: readonly RequestAttributeDto[];
      readonly signal?: AbortSignal;
    },
  ): Promise<RequestAttributeDto[]> {
    const { purpose, requested, signal } = given;
    const list = () => certificateDefinitions(profile, purpose);
    if (requested.length === 0 && !(await list()).some(isRequired)) return [];
    const { connectorUuid, authorityConnectorUuid } = await requireCurrent(profile.uuid);
    const client = await connectors.client(connectorUuid);
    const operation =
      purpose === 'issue'
        ? authorityProviderOperations.validateIssueCertificateAttributes
        : authorityProviderOperations.validateRevokeCertificateAttributes;
    const validate = (body: readonly RequestAttributeDto[]) =>
      client.call(operation, { params: { uuid: authorityConnectorUuid }, body: [...body] }, { signal });
    return connectors.accept({ connectorUuid, validate, list }, requested);
  }

  return {
    forIssuing,
    forIssuingByUuid: (raProfileUuid: string): Promise<IssuingProfile> => cache.get(raProfileUuid),
    certificateDefinitions,
    acceptCertificateAttributes,
    /** Refuses a disabled profile (422). */
    assertEnabled: (profile: Pick<IssuingProfile, 'name' | 'enabled'>): void => {
      if (!profile.enabled)
        throw new AppError('invalid_state', {
          what: 'RA profile',
          name: profile.name,
          state: 'disabled',
          needed: 'an enabled RA profile',
        });
    },
    invalidate: (raProfileUuids: readonly string[]): void => {
      for (const uuid of raProfileUuids) cache.invalidate(uuid);
      definitions.invalidate();
    },
  };
}

const withoutAuthority = ({ name }: RaProfileRow): AppError =>
  new AppError('invalid_state', { what: 'RA profile', name, state: 'without its authority', needed: 'an authority' });

const isRequired = (definition: BaseAttributeDto): boolean =>
  definition.type === 'data' && definition.properties.required;
