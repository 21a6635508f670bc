// The forms of the first generation: what a CA and an RA profile have beside those of the second.
import { dataAttribute, readAll, readString } from '@signetry/connector-sdk';
import type { BaseAttributeDto, DataAttribute, NameAndIdDto, RequestAttributeDto } from '@signetry/contract';
import { authorityAttributeUuid, raProfileAttributeUuid } from '../attributes/attribute-uuids.ts';
import { raProfileAttributes } from '../attributes/ra-profile-attributes.ts';
import { PROFILE } from '../attributes/ra-profile-settings.ts';

/** The names of RA profile attributes are those that platforms look for. */
export const LEGACY = {
  endEntityProfiles: 'data_endEntityProfiles',
  endEntityProfile: 'endEntityProfile',
  certificateProfile: 'certificateProfile',
  certificationAuthority: 'certificationAuthority',
} as const;

/** What an RA profile chooses from. */
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

/** Decided by the certificate profile, by the end entity, or of no use without wishes at issue. */
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

/** No platform has a responder for these CAs, so their certificates name one only where somebody says so. */
const withoutOcspDefault = (definition: BaseAttributeDto): BaseAttributeDto => {
  if (definition.name !== PROFILE.ocspUrls) return definition;
  const { content: _address, ...rest } = definition as DataAttribute; // by its name
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
    description: 'One of the end entity profile; without a choice its first.',
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

/** The settings of certificates under an RA profile; without OCSP unless it has an address. */
export const certificateSettings = (attributes: readonly RequestAttributeDto[]): RequestAttributeDto[] => {
  const settings = withoutLegacy(attributes);
  if (readString(settings, PROFILE.ocspUrls) !== undefined) return settings;
  const none = { uuid: '', name: PROFILE.ocspUrls, contentType: 'text', content: [{ data: 'none' }] } as const;
  return [...settings.filter(({ name }) => name !== PROFILE.ocspUrls), { ...none, content: [...none.content] }];
};

/** Without the attributes that only the first generation has. */
export const withoutLegacy = (attributes: readonly RequestAttributeDto[]): RequestAttributeDto[] =>
  attributes.filter(({ name }) => !Object.values<string>(LEGACY).includes(name));

export const readEndEntityProfilesText = (attributes: readonly RequestAttributeDto[]): string | undefined =>
  readString(attributes, LEGACY.endEntityProfiles);

/** The name in the object that was chosen. */
export function readChosenName(attributes: readonly RequestAttributeDto[], name: string): string | undefined {
  const [data] = readAll(attributes, name);
  if (typeof data === 'string') return data;
  return typeof data === 'object' && data !== null && 'name' in data && typeof data.name === 'string'
    ? data.name
    : undefined;
}
