// The attributes that certificates are issued and revoked with over ACME: those of a profile, or those of the activation on an RA
// profile. The authority of the RA profile judges them; they are kept under its connector.
import type { RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import type { AttributeEngine, AttributeObject, AttributeScope } from '../attributes/index.ts';
import type { IssuingProfile, RaProfiles } from '../ra-profiles/index.ts';
import type { Executor } from '../../platform/database/database.ts';

/** In the form of requests. Values may be secret: never log them. */
export interface CertificateAttributeValues {
  readonly issue: readonly RequestAttributeDto[];
  readonly revoke: readonly RequestAttributeDto[];
}

export const noAttributes: CertificateAttributeValues = { issue: [], revoke: [] };

/** Whose attributes they are; `connectorUuid` is that of the RA profile, empty where there is none. */
export interface AttributeHolder {
  readonly object: AttributeObject;
  readonly purpose?: 'acme';
  readonly connectorUuid: string | null;
}

export const profileHolder = (row: { uuid: string; connector_uuid: string | null }): AttributeHolder => ({
  object: { resource: 'acmeProfiles', uuid: row.uuid },
  connectorUuid: row.connector_uuid,
});

export const activationHolder = (row: { ra_profile_uuid: string; connector_uuid: string }): AttributeHolder => ({
  object: { resource: 'raProfiles', uuid: row.ra_profile_uuid },
  purpose: 'acme',
  connectorUuid: row.connector_uuid,
});

export interface AcceptOptions {
  readonly holder: AttributeHolder;
  readonly raProfile: Pick<IssuingProfile, 'uuid'>;
  readonly signal: AbortSignal;
}

export type CertificateAttributes = ReturnType<typeof createCertificateAttributes>;

export function createCertificateAttributes(areas: {
  readonly attributes: AttributeEngine;
  readonly raProfiles: RaProfiles;
}) {
  const { attributes, raProfiles } = areas;

  /** Has the authority judge requested values, secrets that are to be kept filled in; answers them as they are to be stored. */
  async function accept(
    requested: CertificateAttributeValues,
    { holder, raProfile, signal }: AcceptOptions,
  ): Promise<CertificateAttributeValues> {
    const acceptFor = async (purpose: 'issue' | 'revoke'): Promise<RequestAttributeDto[]> => {
      const set = { object: holder.object, scope: scopeOf(holder, purpose) };
      const filled = await attributes.withKeptSecrets(set, requested[purpose]);
      return raProfiles.acceptCertificateAttributes(raProfile, { purpose, requested: filled, signal });
    };
    return { issue: await acceptFor('issue'), revoke: await acceptFor('revoke') };
  }

  /** The same for an edit: a list that is absent stays as it is stored under the holder's connector. */
  async function acceptChange(
    requested: {
      readonly [Purpose in keyof CertificateAttributeValues]: CertificateAttributeValues[Purpose] | undefined;
    },
    options: AcceptOptions,
  ): Promise<CertificateAttributeValues> {
    const { issue, revoke } = requested;
    if (issue && revoke) return accept({ issue, revoke }, options);
    const stored = await readForRequests(options.holder);
    return accept({ issue: issue ?? stored.issue, revoke: revoke ?? stored.revoke }, options);
  }

  /** With their secrets, as a request for a certificate takes them. */
  async function readForRequests(holder: AttributeHolder): Promise<CertificateAttributeValues> {
    if (holder.connectorUuid === null) return noAttributes;
    return {
      issue: await attributes.readForConnector(holder.object, scopeOf(holder, 'issue')),
      revoke: await attributes.readForConnector(holder.object, scopeOf(holder, 'revoke')),
    };
  }

  /** Writes accepted values in place of the earlier ones of this holder and connector. */
  async function replace(tx: Executor, holder: AttributeHolder, values: CertificateAttributeValues): Promise<void> {
    for (const purpose of ['issue', 'revoke'] as const)
      await attributes.replaceValues(tx, {
        object: holder.object,
        scope: scopeOf(holder, purpose),
        attributes: values[purpose],
      });
  }

  return {
    accept,
    acceptChange,
    replace,
    /** As they are shown. */
    async read(
      holder: AttributeHolder,
    ): Promise<Record<'issueCertificateAttributes' | 'revokeCertificateAttributes', ResponseAttributeDto[]>> {
      const shown = (purpose: 'issue' | 'revoke'): Promise<ResponseAttributeDto[]> =>
        holder.connectorUuid === null ? Promise.resolve([]) : attributes.read(holder.object, scopeOf(holder, purpose));
      return {
        issueCertificateAttributes: await shown('issue'),
        revokeCertificateAttributes: await shown('revoke'),
      };
    },
    readForRequests,
  };
}

const scopeOf = ({ connectorUuid, purpose }: AttributeHolder, operation: 'issue' | 'revoke'): AttributeScope => ({
  connectorUuid,
  operation,
  purpose,
});
