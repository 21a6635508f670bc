// Custom attributes in words.
import { AttributeContentType, Resource } from '@signetry/contract';

/** Of several objects, as people read them in the menu. */
const plurals: Partial<Record<Resource, string>> = {
  acmeProfiles: 'ACME profiles',
  scepProfiles: 'SCEP profiles',
  cmpProfiles: 'CMP profiles',
  raProfiles: 'RA profiles',
  authorities: 'Authorities',
  discoveries: 'Discoveries',
  entities: 'Entities',
  complianceProfiles: 'Compliance profiles',
  tokenProfiles: 'Token profiles',
};

export const wordsOfResource = (resource: Resource): string => plurals[resource] ?? `${Resource.labels[resource]}s`;

export const wordsOfResources = (resources: readonly Resource[]): string => resources.map(wordsOfResource).join(', ');

const contentTypes: Readonly<Record<AttributeContentType, string>> = {
  string: 'Text, one line',
  text: 'Text, several lines',
  integer: 'Whole number',
  float: 'Decimal number',
  boolean: 'Yes or no',
  date: 'Date',
  time: 'Time of day',
  datetime: 'Date and time',
  secret: 'Secret',
  file: 'File',
  credential: 'Credential',
  codeblock: 'Source code',
  object: 'JSON',
};

export const wordsOfContentType = (contentType: AttributeContentType): string => contentTypes[contentType];

/** Credentials are for connectors: forms have no choice of them for other objects. */
export const contentTypeChoices = AttributeContentType.options
  .filter((value) => value !== 'credential')
  .map((value) => ({ value, label: contentTypes[value] }));

/** In one sentence. */
export function wordsOfUse(objects: number): string {
  if (objects === 0) return 'No object has a value.';
  return objects === 1 ? 'One object has a value.' : `${objects.toLocaleString('en-GB')} objects have a value.`;
}
