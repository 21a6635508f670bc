// Every content type from its definition to the value that a handler reads.
import { AttributeContentType, BaseAttributeDto, DataAttribute, type RequestAttributeDto } from '@signetry/contract';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  codeBlock,
  dataAttribute,
  groupAttribute,
  inRange,
  infoAttribute,
  inTimeRange,
  matching,
  metadataAttribute,
  type ContentValues,
} from './define-attributes.ts';
import { readValue, type ReadValues } from './read-attributes.ts';
import { validateAttributes } from './validate-attributes.ts';

const UUID = '0193f0a2-0000-7000-8000-000000000001';

type Samples = {
  readonly [Type in AttributeContentType]: readonly [sent: ContentValues[Type], read: ReadValues[Type]];
};

const credential = { uuid: UUID, name: 'CA login', kind: 'Basic', attributes: [] };

/** Sent value, and the value that a handler reads. */
const samples: Samples = {
  string: ['ca.example', 'ca.example'],
  text: ['one\ntwo', 'one\ntwo'],
  integer: [443, 443],
  float: [0.5, 0.5],
  boolean: [false, false],
  date: ['2026-02-28', '2026-02-28'],
  time: ['23:59:00', '23:59:00'],
  datetime: ['2026-01-02T03:04:05.000Z', new Date('2026-01-02T03:04:05Z')],
  secret: [{ secret: 's3cret' }, 's3cret'],
  file: [
    { content: 'AQID', fileName: 'ca.p12', mimeType: 'application/x-pkcs12' },
    { bytes: Uint8Array.of(1, 2, 3), fileName: 'ca.p12', mimeType: 'application/x-pkcs12' },
  ],
  credential: [credential, credential],
  codeblock: [codeBlock('json', '{"ü": 1}'), { language: 'json', source: '{"ü": 1}' }],
  object: [{ any: ['thing'] }, { any: ['thing'] }],
};

const valueOf = (contentType: AttributeContentType, data: unknown): RequestAttributeDto => ({
  uuid: UUID,
  name: 'data_field',
  contentType,
  content: [{ data }],
});

describe.each(AttributeContentType.options)('an attribute of type %s', (contentType) => {
  const definition = dataAttribute({ uuid: UUID, name: 'data_field', label: 'Field', contentType, required: true });
  const [sent, read] = samples[contentType];

  it('has a definition that matches the interface', () => {
    expect(DataAttribute.parse(definition)).toEqual(definition);
  });

  it('accepts its values, and returns them with the correct type', () => {
    const given = [valueOf(contentType, sent)];
    expect(validateAttributes([definition], given)).toEqual([]);
    expect(readValue(given, definition)).toEqual(read);
    expect(readValue([], definition)).toBeUndefined();
  });
});

// Every JSON value is a valid object.
it.each(AttributeContentType.options.filter((type) => type !== 'object'))(
  'a value that is not of type %s is rejected with an error that names the attribute',
  (contentType) => {
    const definition = dataAttribute({ uuid: UUID, name: 'data_field', label: 'Field', contentType });
    const given = [valueOf(contentType, contentType === 'boolean' ? 'yes' : true)];
    expect(validateAttributes([definition], given)).toHaveLength(1);
    // A value without a secret counts as empty.
    if (contentType !== 'secret') expect(() => readValue(given, definition)).toThrow('"data_field"');
  },
);

it('readValue derives its return type from the definition', () => {
  const port = dataAttribute({ uuid: UUID, name: 'data_port', label: 'Port', contentType: 'integer' });
  expectTypeOf(readValue([], port)).toEqualTypeOf<number | undefined>();
  const since = dataAttribute({ uuid: UUID, name: 'data_since', label: 'Since', contentType: 'datetime' });
  expectTypeOf(readValue([], since)).toEqualTypeOf<Date | undefined>();
});

it('dataAttribute accepts only constraints that match the content type', () => {
  const facts = { uuid: UUID, name: 'data_field', label: 'Field' };
  dataAttribute({ ...facts, contentType: 'string', constraints: [matching('[a-z]+')] });
  dataAttribute({ ...facts, contentType: 'float', constraints: [inRange({ from: 0 })] });
  dataAttribute({ ...facts, contentType: 'datetime', constraints: [inTimeRange({ to: '2030-01-01T00:00:00Z' })] });
  // @ts-expect-error -- a pattern is for text
  dataAttribute({ ...facts, contentType: 'integer', constraints: [matching('[0-9]+')] });
});

it('info, group and metadata attributes match the interface', () => {
  const callback = { callbackContext: '/v1/authorityProvider/callbacks/{ca}', callbackMethod: 'GET', mappings: [] };
  const built = [
    infoAttribute({ uuid: UUID, name: 'info_form', label: 'About', text: 'What it is **for**.' }),
    groupAttribute({ uuid: UUID, name: 'group_ca', callback }),
    metadataAttribute({
      uuid: UUID,
      name: 'meta_id',
      label: 'ID',
      contentType: 'integer',
      content: [17],
      global: true,
    }),
  ];
  for (const definition of built) expect(BaseAttributeDto.parse(definition)).toEqual(definition);
  expect(() => infoAttribute({ uuid: 'x', name: 'info', label: 'About', text: '' })).toThrow('must have a valid UUID');
});
