// Attributes for issuing and revoking certificates over a protocol, from a profile or from its activation on an RA
// profile. The RA profile's authority validates them, and they are stored under its connector.
import type { RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import type { Actor } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AttributeEngine, AttributeObject, AttributeScope } from '../attributes/index.ts';
import type { IssuingProfile, RaProfiles } from '../ra-profiles/index.ts';
import type { ActivationRow, AttributePurpose, ProtocolFacts, ProtocolProfileRow } from './protocol.ts';

/** In the request format. Values can be secret: never log them. */
export type CertificateAttributeValues = Readonly<Record<AttributePurpose, readonly RequestAttributeDto[]>>;

/** Attributes in a request. Omitted lists remain unchanged. */
export interface AttributeRequest {
  readonly issueCertificateAttributes?: readonly RequestAttributeDto[] | undefined;
  readonly revokeCertificateAttributes?: readonly RequestAttributeDto[] | undefined;
}

/** Attributes as displayed. */
export interface ShownAttributes {
  readonly issueCertificateAttributes: ResponseAttributeDto[];
  readonly revokeCertificateAttributes: ResponseAttributeDto[];
}

export const noAttributes: CertificateAttributeValues = { issue: [], revoke: [] };

/** Object to which the attributes belong. `connectorUuid` is the RA profile's connector, or null if there is none. */
export interface AttributeHolder {
  readonly object: AttributeObject;
  /** For an activation: the protocol's `word`. */
  readonly purpose?: string;
  readonly connectorUuid: string | null;
}

export const profileHolder = (
  { resource }: Pick<ProtocolFacts, 'resource'>,
  row: Pick<ProtocolProfileRow, 'uuid' | 'connector_uuid'>,
): AttributeHolder => ({ object: { resource, uuid: row.uuid }, connectorUuid: row.connector_uuid });

export const activationHolder = (
  { word }: Pick<ProtocolFacts, 'word'>,
  row: Pick<ActivationRow, 'ra_profile_uuid' | 'connector_uuid'>,
): AttributeHolder => ({
  object: { resource: 'raProfiles', uuid: row.ra_profile_uuid },
  purpose: word,
  connectorUuid: row.connector_uuid,
});

/** Returns the activation through which a profile was found. */
export const holderOfActivated = (
  protocol: Pick<ProtocolFacts, 'word'>,
  row: { readonly activated_on: string; readonly activation_connector_uuid: string },
): AttributeHolder =>
  activationHolder(protocol, { ra_profile_uuid: row.activated_on, connector_uuid: row.activation_connector_uuid });

export interface AcceptOptions {
  readonly holder: AttributeHolder;
  readonly raProfile: Pick<IssuingProfile, 'uuid'>;
  readonly signal: AbortSignal;
  readonly actor: Actor;
}

export interface CertificateAttributeParts {
  readonly protocol: Pick<ProtocolFacts, 'purposes'>;
  readonly attributes: AttributeEngine;
  readonly raProfiles: Pick<RaProfiles, 'acceptCertificateAttributes'>;
}

export type CertificateAttributes = ReturnType<typeof createCertificateAttributes>;

export function createCertificateAttributes({ protocol, attributes, raProfiles }: CertificateAttributeParts) {
  /**
   * Validates the requested values at the authority, after filling in retained secrets. Returns the values in the form
   * to store.
   */
  async function accept(
    requested: CertificateAttributeValues,
    { holder, raProfile, signal, actor }: AcceptOptions,
  ): Promise<CertificateAttributeValues> {
    const accepted: Record<AttributePurpose, readonly RequestAttributeDto[]> = { ...noAttributes };
    for (const purpose of protocol.purposes) {
      const set = { object: holder.object, scope: scopeOf(holder, purpose) };
      const filled = await attributes.withKeptSecrets(set, requested[purpose]);
      accepted[purpose] = await raProfiles.acceptCertificateAttributes(raProfile, {
        purpose,
        requested: filled,
        signal,
        actor,
        before: await readIfConnected(holder, purpose),
      });
    }
    return accepted;
  }

  const readIfConnected = (holder: AttributeHolder, purpose: AttributePurpose): Promise<RequestAttributeDto[]> =>
    holder.connectorUuid === null
      ? Promise.resolve([])
      : attributes.readForConnector(holder.object, scopeOf(holder, purpose));

  /** Does the same for a request. If a list is omitted, the values stored under the holder's connector are used. */
  async function acceptRequest(request: AttributeRequest, options: AcceptOptions): Promise<CertificateAttributeValues> {
    const { issueCertificateAttributes: issue, revokeCertificateAttributes: revoke } = request;
    if (issue && revoke) return accept({ issue, revoke }, options);
    const stored = await readForRequests(options.holder);
    return accept({ issue: issue ?? stored.issue, revoke: revoke ?? stored.revoke }, options);
  }

  /** Returns the attributes with their secrets, as needed for certificate requests. */
  async function readForRequests(holder: AttributeHolder): Promise<CertificateAttributeValues> {
    return { issue: await readIfConnected(holder, 'issue'), revoke: await readIfConnected(holder, 'revoke') };
  }

  async function read(holder: AttributeHolder): Promise<ShownAttributes> {
    const shown = (purpose: AttributePurpose): Promise<ResponseAttributeDto[]> =>
      holder.connectorUuid === null ? Promise.resolve([]) : attributes.read(holder.object, scopeOf(holder, purpose));
    return { issueCertificateAttributes: await shown('issue'), revokeCertificateAttributes: await shown('revoke') };
  }

  /** Replaces the values stored for this holder and connector with accepted values. */
  async function replace(tx: Executor, holder: AttributeHolder, values: CertificateAttributeValues): Promise<void> {
    for (const purpose of protocol.purposes) {
      const scope = scopeOf(holder, purpose);
      await attributes.replaceValues(tx, { object: holder.object, scope, attributes: values[purpose] });
    }
  }

  return { accept, acceptRequest, read, readForRequests, replace };
}

const scopeOf = ({ connectorUuid, purpose }: AttributeHolder, operation: AttributePurpose): AttributeScope => ({
  connectorUuid,
  operation,
  purpose,
});
