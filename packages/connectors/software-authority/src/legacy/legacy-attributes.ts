// First-generation forms: additional attributes for CAs and RA profiles.
import { dataAttribute, readAll, readString } from '@signetry/connector-sdk';
import type { BaseAttributeDto, DataAttribute, NameAndIdDto, RequestAttributeDto } from '@signetry/contract';
import { authorityAttributeUuid, raProfileAttributeUuid } from '../attributes/attribute-uuids.ts';
import { raProfileAttributes } from '../attributes/ra-profile-attributes.ts';
import { PROFILE } from '../attributes/ra-profile-settings.ts';

/** RA profile attribute names, as platforms expect them. */
export const LEGACY = {
  endEntityProfiles: 'data_endEntityProfiles',
  endEntityProfile: 'endEntityProfile',
  certificateProfile: 'certificateProfile',
  certificationAuthority: 'certificationAuthority',
} as const;

/** Choices that an RA profile offers. */
export interface Choices {
  readonly endEntityProfiles: readonly NameAndIdDto[];
  readonly certificateProfiles: readonly NameAndIdDto[];
  readonly authorities: readonly NameAndIdDto[];
  readonly deltaCrls: boolean;
}

export const endEntityProfilesAttribute = (text: string): DataAttribute =>
  dataAttribute({
    uuid: authorityAttributeUuid(60),
    name: LEGACY.endEntityProfiles,
    label: 'End entity profiles',
    description:
      'One per line: a name, a colon and certificate profiles separated by commas, such as "servers: SERVER, CLIENT".',
    group: 'End entities',
    contentType: 'text',
    content: text,
  });

/**
 * Attributes whose values the certificate profile or the end entity determines, or that are useless without issue
 * attributes.
 */
const DECIDED_ELSEWHERE: ReadonlySet<string> = new Set([
  PROFILE.maxValidityDays,
  PROFILE.keyUsages,
  PROFILE.extendedKeyUsages,
  PROFILE.otherExtendedKeyUsages,
  PROFILE.copySubject,
  PROFILE.subjectParts,
  PROFILE.fixedSubject,
  PROFILE.ocspNoCheck,
  PROFILE.excess,
  PROFILE.isCa,
  PROFILE.pathLength,
]);

/**
 * Platforms have no OCSP responder for these CAs, so their certificates contain an OCSP URL only if one is specified.
 */
const withoutOcspDefault = (definition: BaseAttributeDto): BaseAttributeDto => {
  if (definition.name !== PROFILE.ocspUrls) return definition;
  // The attribute with this name is always a data attribute.
  const { content: _address, ...rest } = definition as DataAttribute;
  return rest;
};

const choicesOf = (names: readonly NameAndIdDto[]) => names.map((each) => ({ reference: each.name, data: each }));

export const legacyRaProfileAttributes = (choices: Choices): BaseAttributeDto[] => [
  dataAttribute({
    uuid: raProfileAttributeUuid(60),
    name: LEGACY.endEntityProfile,
    label: 'End entity profile',
    contentType: 'object',
    required: true,
    choices: choicesOf(choices.endEntityProfiles),
  }),
  dataAttribute({
    uuid: raProfileAttributeUuid(61),
    name: LEGACY.certificateProfile,
    label: 'Certificate profile',
    description: 'A certificate profile of the end entity profile. Default: its first.',
    contentType: 'object',
    choices: choicesOf(choices.certificateProfiles),
  }),
  dataAttribute({
    uuid: raProfileAttributeUuid(62),
    name: LEGACY.certificationAuthority,
    label: 'Certification authority',
    contentType: 'object',
    choices: choicesOf(choices.authorities),
  }),
  ...raProfileAttributes({ deltaCrls: choices.deltaCrls })
    .filter(({ name }) => !DECIDED_ELSEWHERE.has(name))
    .map(withoutOcspDefault),
];

/** Returns an RA profile's certificate settings. OCSP is omitted unless the profile specifies an OCSP URL. */
export const certificateSettings = (attributes: readonly RequestAttributeDto[]): RequestAttributeDto[] => {
  const settings = withoutLegacy(attributes);
  if (readString(settings, PROFILE.ocspUrls) !== undefined) return settings;
  const none = { uuid: '', name: PROFILE.ocspUrls, contentType: 'text', content: [{ data: 'none' }] } as const;
  return [...settings.filter(({ name }) => name !== PROFILE.ocspUrls), { ...none, content: [...none.content] }];
};

/** Removes attributes that exist only in the first generation. */
export const withoutLegacy = (attributes: readonly RequestAttributeDto[]): RequestAttributeDto[] =>
  attributes.filter(({ name }) => !Object.values<string>(LEGACY).includes(name));

export const readEndEntityProfilesText = (attributes: readonly RequestAttributeDto[]): string | undefined =>
  readString(attributes, LEGACY.endEntityProfiles);

/** Returns the name in the selected object. */
export function readChosenName(attributes: readonly RequestAttributeDto[], name: string): string | undefined {
  const [data] = readAll(attributes, name);
  if (typeof data === 'string') return data;
  return typeof data === 'object' && data !== null && 'name' in data && typeof data.name === 'string'
    ? data.name
    : undefined;
}
