// Text for custom attributes.
import { AttributeContentType } from '@signetry/contract';

const contentTypes: Readonly<Record<AttributeContentType, string>> = {
  string: 'Single-line text',
  text: 'Multi-line text',
  integer: 'Integer',
  float: 'Decimal number',
  boolean: 'Boolean',
  date: 'Date',
  time: 'Time',
  datetime: 'Date and time',
  secret: 'Secret',
  file: 'File',
  credential: 'Credential',
  codeblock: 'Source code',
  object: 'JSON',
};

export const describeContentType = (contentType: AttributeContentType): string => contentTypes[contentType];

export const contentTypeChoices = AttributeContentType.options.map((value) => ({ value, label: contentTypes[value] }));

/** Describes in one sentence how many objects have a value. */
export function describeUsage(objects: number): string {
  if (objects === 0) return 'No object has a value.';
  return objects === 1 ? 'One object has a value.' : `${objects.toLocaleString('en-GB')} objects have a value.`;
}
