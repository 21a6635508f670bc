// RA profiles as they are read for issuance: with everything required to call the authority, and cached for a few
// seconds.
import { authorityProviderOperations, type BaseAttributeDto, type RequestAttributeDto } from '@signetry/contract';
import { AppError, notFound } from '../../kernel/errors.ts';
import { createExpiringCache, type ExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine, CredentialUse } from '../attributes/index.ts';
import type { Authorities } from '../authorities/index.ts';
import { CONNECTION_TTL_MS, type Connectors } from '../connectors/index.ts';
import { raProfiles } from './store.ts';
import { assertOffered, validationSettings, type ValidationSettings } from './ra-profile-facts.ts';
import type { RaProfileRow } from './tables.ts';

/** Properties required for issuance. Attributes contain secrets: never log them. */
export interface IssuingProfile {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
  /** Only the platform itself issues certificates under it. */
  readonly internal: boolean;
  readonly authorityUuid: string;
  readonly authorityName: string;
  /** Identifier of the authority at its connector. */
  readonly authorityConnectorUuid: string;
  readonly connectorUuid: string;
  readonly kind: string;
  /** Whether its connector is first-generation and therefore lacks these operations. */
  readonly legacy: boolean;
  /** Connector features beyond the API specification. */
  readonly features: readonly string[];
  /** In the form that is sent to the connector: with secrets, credentials and placeholders filled in. */
  readonly raProfileAttributes: RequestAttributeDto[];
  readonly validation: ValidationSettings;
  readonly caCertificateUuid: string | null;
  /** If set, operations under the profile wait for approval. */
  readonly approvalProfileUuid: string | null;
}

type CertificatePurpose = 'issue' | 'revoke';

interface CertificateAttributes extends CredentialUse {
  readonly purpose: CertificatePurpose;
  readonly requested: readonly RequestAttributeDto[];
  readonly signal?: AbortSignal;
}

interface Areas {
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly authorities: Authorities;
}

interface Parts extends Areas {
  readonly platform: Platform;
  readonly profiles: ExpiringCache<string, IssuingProfile>;
  /** Attribute definitions by profile and purpose; see `keyOf`. */
  readonly definitions: ExpiringCache<string, BaseAttributeDto[]>;
}

export type IssuingProfiles = ReturnType<typeof createIssuingProfiles>;

export function createIssuingProfiles(platform: Platform, areas: Areas) {
  const { clock } = platform;
  const parts: Parts = {
    platform,
    ...areas,
    profiles: createExpiringCache({ clock, ttlMs: CONNECTION_TTL_MS, load: (uuid) => load(parts, uuid) }),
    definitions: createExpiringCache({ clock, ttlMs: CONNECTION_TTL_MS, load: (key) => loadDefinitions(parts, key) }),
  };
  const { profiles, definitions } = parts;

  return {
    /**
     * Returns the profile for a caller's request; 404 if the authority has no such profile. The profile may be
     * disabled. Rejects internal profiles.
     */
    async forIssuing(authorityUuid: string, raProfileUuid: string): Promise<IssuingProfile> {
      const profile = of(authorityUuid, await profiles.get(raProfileUuid));
      assertOffered(profile);
      return profile;
    },
    /** Does the same, given only the profile's UUID. */
    async forIssuingByUuid(raProfileUuid: string): Promise<IssuingProfile> {
      const profile = await profiles.get(raProfileUuid);
      assertOffered(profile);
      return profile;
    },
    /**
     * Returns the profile even if it is internal: for the platform's own certificates, for operations accepted earlier,
     * and for revocation. The returned profile must never be used to issue for a caller's request.
     */
    async forUpkeep(raProfileUuid: string, authorityUuid?: string): Promise<IssuingProfile> {
      const profile = await profiles.get(raProfileUuid);
      return authorityUuid === undefined ? profile : of(authorityUuid, profile);
    },
    /** Returns the attribute definitions for issuing or revoking a certificate. */
    certificateDefinitions: (profile: Pick<IssuingProfile, 'uuid'>, purpose: CertificatePurpose) =>
      definitions.get(keyOf(profile, purpose)),
    /**
     * Validates the attributes for a certificate operation at the authority and on the platform, and returns them in
     * the form in which they are stored and sent. If no attributes are specified and none are required, the authority
     * is not called.
     */
    acceptCertificateAttributes: (profile: Pick<IssuingProfile, 'uuid'>, given: CertificateAttributes) =>
      acceptCertificateAttributes(parts, profile, given),
    assertEnabled,
    invalidate: (raProfileUuids: readonly string[]): void => {
      for (const uuid of raProfileUuids) profiles.invalidate(uuid);
      definitions.invalidate();
    },
  };
}

function of(authorityUuid: string, profile: IssuingProfile): IssuingProfile {
  if (profile.authorityUuid !== authorityUuid.toLowerCase()) throw notFound('RA profile', profile.uuid);
  return profile;
}

async function load({ platform, attributes, authorities }: Parts, uuid: string): Promise<IssuingProfile> {
  const row = await raProfiles.findOne(platform.database.executor, uuid);
  if (!row) throw notFound('RA profile', uuid);
  if (row.authority_uuid === null) throw noAuthorityError(row);
  const { authority } = await authorities.reach(row.authority_uuid);
  const stored = await attributes.readForConnector(
    { resource: 'raProfiles', uuid },
    { connectorUuid: authority.connectorUuid },
  );
  return {
    uuid,
    name: row.name,
    enabled: row.enabled,
    internal: row.internal,
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
    approvalProfileUuid: row.approval_profile_uuid,
  };
}

const keyOf = ({ uuid }: Pick<IssuingProfile, 'uuid'>, purpose: CertificatePurpose): string => `${uuid} ${purpose}`;

async function loadDefinitions(parts: Parts, key: string): Promise<BaseAttributeDto[]> {
  const [raProfileUuid = '', purpose] = key.split(' ');
  const { connectorUuid, authorityConnectorUuid } = await requireCurrent(parts, raProfileUuid);
  const client = await parts.connectors.client(connectorUuid);
  const operation =
    purpose === 'issue'
      ? authorityProviderOperations.listIssueCertificateAttributes
      : authorityProviderOperations.listRevokeCertificateAttributes;
  return client.call(operation, { params: { uuid: authorityConnectorUuid } });
}

/** First-generation authorities do not support these operations (404). */
async function requireCurrent({ profiles }: Parts, raProfileUuid: string): Promise<IssuingProfile> {
  const profile = await profiles.get(raProfileUuid);
  if (profile.legacy) throw notFound('Certificate attributes of RA profile', profile.name);
  return profile;
}

async function acceptCertificateAttributes(
  parts: Parts,
  profile: Pick<IssuingProfile, 'uuid'>,
  { purpose, requested, signal, actor, before }: CertificateAttributes,
): Promise<RequestAttributeDto[]> {
  const { connectors, definitions } = parts;
  const list = () => definitions.get(keyOf(profile, purpose));
  if (requested.length === 0 && !(await list()).some(isRequired)) return [];
  const { connectorUuid, authorityConnectorUuid } = await requireCurrent(parts, profile.uuid);
  const client = await connectors.client(connectorUuid);
  const operation =
    purpose === 'issue'
      ? authorityProviderOperations.validateIssueCertificateAttributes
      : authorityProviderOperations.validateRevokeCertificateAttributes;
  const validate = (body: readonly RequestAttributeDto[]) =>
    client.call(operation, { params: { uuid: authorityConnectorUuid }, body: [...body] }, { signal });
  return connectors.accept({ connectorUuid, validate, list, actor, before }, requested);
}

/** Rejects a disabled profile (422). */
function assertEnabled({ name, enabled }: Pick<IssuingProfile, 'name' | 'enabled'>): void {
  if (enabled) return;
  throw new AppError('invalid_state', { what: 'RA profile', name, state: 'disabled', needed: 'an enabled RA profile' });
}

const noAuthorityError = ({ name }: RaProfileRow): AppError =>
  new AppError('invalid_state', {
    what: 'RA profile',
    name,
    state: 'not linked to an authority',
    needed: 'an RA profile with an authority',
  });

const isRequired = (definition: BaseAttributeDto): boolean =>
  definition.type === 'data' && definition.properties.required;
