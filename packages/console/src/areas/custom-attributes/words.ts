// Custom attributes in words.
import { AttributeContentType } from '@signetry/contract';

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

export const contentTypeChoices = AttributeContentType.options.map((value) => ({ value, label: contentTypes[value] }));

/** In one sentence. */
export function wordsOfUse(objects: number): string {
  if (objects === 0) return 'No object has a value.';
  return objects === 1 ? 'One object has a value.' : `${objects.toLocaleString('en-GB')} objects have a value.`;
}
