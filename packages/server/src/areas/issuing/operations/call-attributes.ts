// Attributes of issue and revoke calls: validated by the authority and the platform, stored with the certificate.
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { AttributeEngine, ValueSetToWrite } from '../../attributes/index.ts';
import { callFailureOf } from '../../connectors/index.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';

export type CallAttributes = ReturnType<typeof createCallAttributes>;

/** `purpose` is the call that the attributes belong to. */
export function createCallAttributes(
  purpose: 'issue' | 'revoke',
  parts: { readonly attributes: AttributeEngine; readonly raProfiles: RaProfiles },
) {
  const { attributes, raProfiles } = parts;
  const custom = attributes.customValuesOf('certificates');
  const scopeOf = (profile: IssuingProfile) => ({ connectorUuid: profile.connectorUuid, operation: purpose });
  const objectOf = (certificateUuid: string) => ({ resource: 'certificates', uuid: certificateUuid }) as const;

  return {
    definitions: (profile: IssuingProfile): Promise<BaseAttributeDto[]> =>
      raProfiles.certificateDefinitions(profile, purpose),
    /**
     * Rejects values that the authority or platform does not accept. Otherwise, returns them in the form in which they
     * are stored and sent. If there are no values, an unreachable authority is not an error here, because the operation
     * itself detects and records that.
     */
    async validate(
      profile: IssuingProfile,
      requested: readonly RequestAttributeDto[],
      { actor }: Pick<RequestContext, 'actor'>,
    ): Promise<RequestAttributeDto[]> {
      try {
        return await raProfiles.acceptCertificateAttributes(profile, { purpose, requested, actor });
      } catch (error) {
        if (requested.length === 0 && isUnreachable(error)) return [];
        throw error;
      }
    },
    /** Rejects custom attributes that the platform does not accept for certificates. */
    acceptCustom: async (
      requested: readonly RequestAttributeDto[] | undefined,
      context: RequestContext,
    ): Promise<readonly RequestAttributeDto[]> => (await custom.accept(requested, context)).attributes,
    /** Reads a certificate's custom attributes, for its successor. */
    customOf: custom.readForCopy,
    customSet: (certificateUuid: string, accepted: readonly RequestAttributeDto[]): ValueSetToWrite => ({
      object: objectOf(certificateUuid),
      scope: { connectorUuid: null },
      attributes: accepted,
      type: 'custom',
    }),
    /** Returns the values in the form in which the attribute engine stores them with the certificate. */
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

const isUnreachable = (error: unknown): boolean => callFailureOf(error)?.kind === 'unreachable';
