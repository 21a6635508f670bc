// Form values of a profile, converted from and to the platform's DTOs. Pure.
import type {
  AcmeAdditionalChallenge,
  AcmeProfileEditRequestDto,
  AcmeProfileRequestDto,
  RequestAttributeDto,
} from '@signetry/contract';
import type { Profile } from '../shapes.ts';
import { namePolicyOf, namePolicyValuesOf, noNamePolicy, type NamePolicyValues } from './name-policy-values.ts';

/** A name that clients can select, and its RA profile. */
export interface OfferValues {
  readonly name: string;
  readonly description: string;
  readonly raProfileUuid: string;
}

export interface ProfileValues {
  readonly name: string;
  readonly description: string;
  /** Empty if no RA profile is selected. */
  readonly raProfileUuid: string;
  readonly requireContact: boolean;
  readonly externalAccountRequired: boolean;
  readonly requireTermsOfService: boolean;
  readonly termsOfServiceUrl: string;
  readonly websiteUrl: string;
  readonly termsOfServiceChangeDisable: boolean;
  readonly termsOfServiceChangeUrl: string;
  /** Empty for the system resolver. */
  readonly dnsResolverIp: string;
  readonly dnsResolverPort: string;
  /** `default` means that the profile does not specify any CAA identities. */
  readonly caa: 'default' | 'identities' | 'off';
  readonly caaIdentities: readonly string[];
  /** In seconds, like the two fields below. */
  readonly authorizationReuse: number;
  readonly validity: number;
  readonly retryInterval: number;
  readonly allowLoopbackValidation: boolean;
  readonly namePolicy: NamePolicyValues;
  readonly offeredProfiles: readonly OfferValues[];
  /** Challenge types offered in addition to http-01, dns-01 and tls-alpn-01. */
  readonly additionalChallenges: readonly AcmeAdditionalChallenge[];
  /** Empty if there is no owner. */
  readonly ownerUuid: string;
  readonly groupUuids: readonly string[];
}

/** Values for a new profile: the platform's defaults. */
export const newProfileValues: ProfileValues = {
  name: '',
  description: '',
  raProfileUuid: '',
  requireContact: false,
  externalAccountRequired: false,
  requireTermsOfService: false,
  termsOfServiceUrl: '',
  websiteUrl: '',
  termsOfServiceChangeDisable: false,
  termsOfServiceChangeUrl: '',
  dnsResolverIp: '',
  dnsResolverPort: '53',
  caa: 'default',
  caaIdentities: [],
  authorizationReuse: 0,
  validity: 36_000,
  retryInterval: 30,
  allowLoopbackValidation: false,
  namePolicy: noNamePolicy,
  offeredProfiles: [],
  additionalChallenges: [],
  ownerUuid: '',
  groupUuids: [],
};

function caaOf(identities: Profile['caaIdentities']): ProfileValues['caa'] {
  if (identities === undefined) return 'default';
  return identities.length === 0 ? 'off' : 'identities';
}

export const valuesOf = (profile: Profile): ProfileValues => ({
  name: profile.name,
  description: profile.description ?? '',
  raProfileUuid: profile.raProfile?.uuid ?? '',
  requireContact: profile.requireContact ?? false,
  externalAccountRequired: profile.externalAccountRequired ?? false,
  requireTermsOfService: profile.requireTermsOfService ?? false,
  termsOfServiceUrl: profile.termsOfServiceUrl ?? '',
  websiteUrl: profile.websiteUrl ?? '',
  termsOfServiceChangeDisable: profile.termsOfServiceChangeDisable ?? false,
  termsOfServiceChangeUrl: profile.termsOfServiceChangeUrl ?? '',
  dnsResolverIp: profile.dnsResolverIp ?? '',
  dnsResolverPort: profile.dnsResolverPort ?? newProfileValues.dnsResolverPort,
  caa: caaOf(profile.caaIdentities),
  caaIdentities: profile.caaIdentities ?? [],
  authorizationReuse: profile.authorizationReuse ?? 0,
  validity: profile.validity ?? newProfileValues.validity,
  retryInterval: profile.retryInterval ?? newProfileValues.retryInterval,
  allowLoopbackValidation: profile.allowLoopbackValidation ?? false,
  namePolicy: namePolicyValuesOf(profile.namePolicy),
  offeredProfiles: profile.offeredProfiles ?? [],
  additionalChallenges: profile.additionalChallenges ?? [],
  ownerUuid: profile.certificateAssociations?.ownerUuid ?? '',
  groupUuids: profile.certificateAssociations?.groupUuids ?? [],
});

export interface CertificateAttributes {
  readonly issueCertificateAttributes: RequestAttributeDto[];
  readonly revokeCertificateAttributes: RequestAttributeDto[];
}

export const noAttributes: CertificateAttributes = { issueCertificateAttributes: [], revokeCertificateAttributes: [] };

/** Attributes of the profile and of certificates issued with it. */
export interface GivenAttributes extends CertificateAttributes {
  readonly ofCertificates: RequestAttributeDto[];
}

type Shared = Omit<AcmeProfileRequestDto, 'name'>;

const caaRequestOf = ({ caa, caaIdentities }: ProfileValues): Pick<Shared, 'caaByDefault' | 'caaIdentities'> =>
  caa === 'default' ? { caaByDefault: true } : { caaIdentities: caa === 'off' ? [] : [...caaIdentities] };

const sharedRequest = (values: ProfileValues, { ofCertificates, ...attributes }: GivenAttributes): Shared => ({
  ...attributes,
  description: values.description.trim(),
  raProfileUuid: values.raProfileUuid,
  requireContact: values.requireContact,
  externalAccountRequired: values.externalAccountRequired,
  requireTermsOfService: values.requireTermsOfService,
  termsOfServiceUrl: values.termsOfServiceUrl.trim(),
  websiteUrl: values.websiteUrl.trim(),
  dnsResolverIp: values.dnsResolverIp.trim(),
  dnsResolverPort: values.dnsResolverPort.trim(),
  ...caaRequestOf(values),
  authorizationReuse: values.authorizationReuse,
  validity: values.validity,
  retryInterval: values.retryInterval,
  allowLoopbackValidation: values.allowLoopbackValidation,
  namePolicy: namePolicyOf(values.namePolicy),
  offeredProfiles: values.offeredProfiles.map(({ name, description, raProfileUuid }) => ({
    name: name.trim(),
    description: description.trim(),
    raProfileUuid,
  })),
  additionalChallenges: [...values.additionalChallenges],
  certificateAssociations: {
    ...(values.ownerUuid === '' ? {} : { ownerUuid: values.ownerUuid }),
    groupUuids: [...values.groupUuids],
    customAttributes: ofCertificates,
  },
});

export const createRequestOf = (values: ProfileValues, attributes: GivenAttributes): AcmeProfileRequestDto => ({
  name: values.name.trim(),
  ...sharedRequest(values, attributes),
});

export const editRequestOf = (values: ProfileValues, attributes: GivenAttributes): AcmeProfileEditRequestDto => ({
  ...sharedRequest(values, attributes),
  termsOfServiceChangeDisable: values.termsOfServiceChangeDisable,
  termsOfServiceChangeUrl: values.termsOfServiceChangeUrl.trim(),
});

/** Returns the existing custom attributes for certificates, for a form that does not change them. */
export const customOfCertificates = (
  profile: Pick<Profile, 'certificateAssociations'> | undefined,
): RequestAttributeDto[] => requested(profile?.certificateAssociations?.customAttributes);

/**
 * Returns the existing attributes, for use by forms that do not change them: an update that omits them would remove
 * them.
 */
export const attributesOf = (
  profile: Pick<Profile, 'issueCertificateAttributes' | 'revokeCertificateAttributes'>,
): CertificateAttributes => ({
  issueCertificateAttributes: requested(profile.issueCertificateAttributes),
  revokeCertificateAttributes: requested(profile.revokeCertificateAttributes),
});

const requested = (attributes: Profile['issueCertificateAttributes'] = []): RequestAttributeDto[] =>
  attributes.flatMap(({ uuid, name, contentType, content = [] }) =>
    uuid === undefined ? [] : [{ uuid, name, contentType, content }],
  );
