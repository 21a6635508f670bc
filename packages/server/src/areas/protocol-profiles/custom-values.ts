// Custom attributes of a profile: those of the profile itself, and those that it assigns to certificates issued over
// its protocol.
import type { RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AcceptedCustomValues, AttributeEngine, CustomValues } from '../attributes/index.ts';
import type { ProtocolFacts } from './protocol.ts';

/** Custom attributes in a request. */
export interface CustomAttributesRequest {
  readonly customAttributes?: readonly RequestAttributeDto[] | undefined;
  readonly certificateAssociations?:
    { readonly customAttributes?: readonly RequestAttributeDto[] | undefined } | undefined;
}

export interface AcceptedProfileValues {
  readonly own: AcceptedCustomValues;
  readonly ofCertificates: AcceptedCustomValues;
}

export interface ShownProfileValues {
  readonly own: ResponseAttributeDto[];
  readonly ofCertificates: ResponseAttributeDto[];
}

export type ProfileValues = ReturnType<typeof createProfileValues>;

export function createProfileValues({
  attributes,
  protocol: { resource },
}: {
  readonly attributes: AttributeEngine;
  readonly protocol: Pick<ProtocolFacts, 'resource'>;
}) {
  // Profiles without a resource type of their own have no custom attributes. Custom attributes of RA profiles are
  // separate.
  const own = resource === 'raProfiles' ? withoutValues : attributes.customValuesOf(resource);
  const ofCertificates = attributes.customValuesOf(resource, 'certificates');

  return {
    /**
     * Validates values for a new profile, or for the existing profile `of`. Associations are always replaced as a
     * whole.
     */
    accept: async (
      request: CustomAttributesRequest,
      context: RequestContext,
      of?: string,
    ): Promise<AcceptedProfileValues> => ({
      own: await own.accept(request.customAttributes, context, of),
      ofCertificates: await ofCertificates.accept(request.certificateAssociations?.customAttributes ?? [], context, of),
    }),
    async write(tx: Executor, uuid: string, accepted: AcceptedProfileValues): Promise<void> {
      await own.write(tx, uuid, accepted.own);
      await ofCertificates.write(tx, uuid, accepted.ofCertificates);
    },
    read: async (uuid: string, context: RequestContext): Promise<ShownProfileValues> => ({
      own: await own.read(uuid, context),
      ofCertificates: await ofCertificates.read(uuid, context),
    }),
    readForCertificates: ofCertificates.readForCopy,
  };
}

const withoutValues: Pick<CustomValues, 'accept' | 'write' | 'read'> = {
  accept: () => Promise.resolve({ replaced: [], attributes: [] }),
  write: () => Promise.resolve(),
  read: () => Promise.resolve([]),
};
