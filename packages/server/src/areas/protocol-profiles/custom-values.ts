// Custom attributes of a profile: its own, and those that it gives to the certificates that come over its protocol.
import type { RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { AcceptedCustomValues, AttributeEngine, CustomValues } from '../attributes/index.ts';
import type { ProtocolFacts } from './protocol.ts';

/** What a request holds of them. */
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
  // Profiles that are no objects of their own have no custom attributes: those of RA profiles are not theirs.
  const own = resource === 'raProfiles' ? withoutValues : attributes.customValuesOf(resource);
  const ofCertificates = attributes.customValuesOf(resource, 'certificates');

  return {
    /** For a new profile, or with `of` for one that is there. Associations are given as a whole. */
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
