// Attributes that the selected RA profile's authority uses to issue and revoke certificates over a protocol.
import type { AcmeProfileDto, RequestAttributeDto } from '@signetry/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { definitionsOf } from '../../ui/attributes/definitions.ts';
import { useAttributeForm, type AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';
import { issuingProfilesQuery } from '../../queries/ra-profiles.ts';

export interface CertificateAttributes {
  readonly issueCertificateAttributes: RequestAttributeDto[];
  readonly revokeCertificateAttributes: RequestAttributeDto[];
}

const noAttributes: CertificateAttributes = { issueCertificateAttributes: [], revokeCertificateAttributes: [] };

interface RaProfilePath {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

const definitionsQuery = (place: RaProfilePath | undefined, revokes: boolean) =>
  queryOptions({
    queryKey: ['acme', 'attribute-definitions', place?.raProfileUuid, revokes],
    queryFn: async ({ signal }) => {
      const params = place ?? { authorityUuid: '', raProfileUuid: '' };
      const [issue, revoke] = await Promise.all([
        api.clientOperations.listIssueCertificateAttributes({ params }, { signal }),
        revokes ? api.clientOperations.listRevokeCertificateAttributes({ params }, { signal }) : [],
      ]);
      return { issue: await definitionsOf(issue), revoke: await definitionsOf(revoke) };
    },
    enabled: place !== undefined,
    staleTime: 60_000,
  });

export interface CertificateAttributeForms extends Pick<AttributeFormModel, 'refuse' | 'isDirty' | 'check'> {
  readonly issue: AttributeFormModel;
  readonly revoke: AttributeFormModel;
  /** Whether the definitions are still loading. */
  readonly isLoading: boolean;
  /** Set if the definitions could not be loaded; existing values are then kept. */
  readonly error: unknown;
  readonly request: () => CertificateAttributes;
}

/** The attributes of a protocol profile, and its RA profile. */
export type AttributeHolder = Pick<
  AcmeProfileDto,
  'raProfile' | 'issueCertificateAttributes' | 'revokeCertificateAttributes'
>;

/**
 * Returns a profile's attribute forms. If `revokes` is false, the protocol's clients cannot revoke, so there are no
 * revocation attributes.
 */
export function useCertificateAttributes(
  raProfileUuid: string,
  profile: AttributeHolder | undefined,
  { revokes = true }: { readonly revokes?: boolean } = {},
): CertificateAttributeForms {
  const raProfiles = useQuery(issuingProfilesQuery);
  const authorityUuid =
    raProfiles.data?.find(({ uuid }) => uuid === raProfileUuid)?.authorityUuid ??
    (profile?.raProfile?.uuid === raProfileUuid ? profile.raProfile.authorityInstanceUuid : undefined);
  const place = raProfileUuid === '' || authorityUuid === undefined ? undefined : { authorityUuid, raProfileUuid };
  const definitions = useQuery(definitionsQuery(place, revokes));
  // Values apply only to the RA profile for which they were entered.
  const isPresent = profile !== undefined && profile.raProfile?.uuid === raProfileUuid;
  const issue = useAttributeForm({
    source: `issue ${raProfileUuid}`,
    definitions: definitions.data?.issue ?? [],
    present: isPresent ? (profile.issueCertificateAttributes ?? []) : undefined,
  });
  const revoke = useAttributeForm({
    source: `revoke ${raProfileUuid}`,
    definitions: definitions.data?.revoke ?? [],
    present: isPresent ? (profile.revokeCertificateAttributes ?? []) : undefined,
  });
  return {
    issue,
    revoke,
    isLoading: place !== undefined && definitions.isPending,
    error: definitions.data ? undefined : definitions.error,
    isDirty: issue.isDirty || revoke.isDirty,
    check: () => issue.check() && revoke.check(),
    refuse: (problems) => revoke.refuse(issue.refuse(problems)),
    request: () => {
      if (raProfileUuid === '') return noAttributes;
      if (!definitions.data) return isPresent ? attributesOf(profile) : noAttributes;
      return { issueCertificateAttributes: issue.request(), revokeCertificateAttributes: revoke.request() };
    },
  };
}

/** Returns the existing custom attributes for certificates, for a form that does not change them. */
export const customOfCertificates = (
  profile: Pick<AcmeProfileDto, 'certificateAssociations'> | undefined,
): RequestAttributeDto[] => requested(profile?.certificateAssociations?.customAttributes);

/**
 * Returns the existing attributes, for use by forms that do not change them: an update that omits them would remove
 * them.
 */
const attributesOf = (
  profile: Pick<AcmeProfileDto, 'issueCertificateAttributes' | 'revokeCertificateAttributes'>,
): CertificateAttributes => ({
  issueCertificateAttributes: requested(profile.issueCertificateAttributes),
  revokeCertificateAttributes: requested(profile.revokeCertificateAttributes),
});

const requested = (attributes: AcmeProfileDto['issueCertificateAttributes'] = []): RequestAttributeDto[] =>
  attributes.flatMap(({ uuid, name, contentType, content = [] }) =>
    uuid === undefined ? [] : [{ uuid, name, contentType, content }],
  );
