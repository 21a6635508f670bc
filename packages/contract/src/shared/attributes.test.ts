import { describe, expect, it } from 'vitest';
import { AttributeContentType } from '../enums/attributes.ts';
import {
  BaseAttributeContentDto,
  BaseAttributeDto,
  contentItemSchemas,
  RequestAttributeDto,
  ResponseAttributeDto,
} from './attributes.ts';

const credential = {
  uuid: '5b1cf10a-7c4e-4b6e-8d8a-1c1a9f0b5a11',
  name: 'CA administrator',
  kind: 'Basic',
  attributes: [
    {
      version: 2,
      uuid: 'fe2d6d35-fb3d-4ea0-9f0b-7e39be93beeb',
      name: 'username',
      type: 'data',
      contentType: 'string',
      content: [{ data: 'admin' }],
      properties: { label: 'User', visible: true, required: true, readOnly: false, list: false, multiSelect: false },
    },
  ],
};

const items: Record<AttributeContentType, unknown> = {
  string: { data: 'example.org' },
  text: { data: 'first line\nsecond line' },
  integer: { reference: 'one year', data: 365 },
  boolean: { data: false },
  float: { data: 0.5 },
  date: { data: '2031-05-27' },
  time: { data: '23:59:59' },
  datetime: { data: '2031-05-27T10:15:30.000+02:00' },
  secret: { reference: 'set', data: { secret: 'swordfish', protectionLevel: 'encrypted' } },
  file: { data: { content: 'MIIB', fileName: 'store.p12', mimeType: 'application/x-pkcs12' } },
  credential: { reference: 'CA administrator', data: credential },
  codeblock: { data: { language: 'html', code: 'PHA+PC9wPg==' } },
  object: { data: { nested: { list: [1, 'two', null] } } },
};

const refused: Partial<Record<AttributeContentType, unknown>> = {
  string: { data: 7 },
  integer: { data: 1.5 },
  boolean: { data: 'true' },
  float: { data: '0.5' },
  date: { data: '27.05.2031' },
  datetime: { data: 'tomorrow' },
  secret: { data: 'swordfish' },
  file: { data: { content: 'MIIB' } },
  credential: { data: { uuid: credential.uuid, name: credential.name } },
  codeblock: { data: { language: 'klingon', code: '' } },
};

describe('content items', () => {
  it.each(AttributeContentType.options)(
    'of type %s match their own schema, and match the union without changes',
    (type) => {
      expect(contentItemSchemas[type].parse(items[type])).toEqual(items[type]);
      expect(BaseAttributeContentDto.parse(items[type])).toEqual(items[type]);
    },
  );

  it.each(Object.entries(refused))('of type %s are rejected if they have a different format', (type, item) => {
    // The keys are content types.
    expect(contentItemSchemas[type as AttributeContentType].safeParse(item).success).toBe(false);
  });

  it('match the union without data loss even if they only resemble a structured type', () => {
    const item = { data: { language: 'json', code: 'e30=', revision: 3 } };
    expect(BaseAttributeContentDto.parse(item)).toEqual(item);
    const reference = { data: { uuid: credential.uuid, name: credential.name } };
    expect(BaseAttributeContentDto.parse(reference)).toEqual(reference);
  });
});

describe('attribute definitions', () => {
  const data = { uuid: 'a', name: 'validity', contentType: 'integer', properties: { label: 'Validity' } };

  it('get the documented defaults', () => {
    expect(BaseAttributeDto.parse({ ...data, type: 'data' })).toMatchObject({
      version: 2,
      properties: { visible: true, required: false, readOnly: false, list: false, multiSelect: false },
    });
  });

  it('are parsed as data if their kind is missing or unknown', () => {
    expect(BaseAttributeDto.parse(data).type).toBe('data');
    expect(BaseAttributeDto.parse({ ...data, type: 'novelty' }).type).toBe('data');
  });

  it('keep constraints and callbacks', () => {
    const definition = {
      ...data,
      type: 'data',
      constraints: [{ type: 'range', errorMessage: 'too long', data: { from: 1, to: 825 } }],
      attributeCallback: {
        callbackContext: '/v1/authorityProvider/{id}/engines',
        callbackMethod: 'GET',
        mappings: [{ from: 'authority.data', to: 'id', targets: ['pathVariable'] }],
      },
    };
    expect(BaseAttributeDto.parse(definition)).toMatchObject(definition);
  });

  it('for groups contain further definitions at any depth', () => {
    const group = { uuid: 'g', name: 'group_spec', type: 'group', content: [{ ...data, type: 'data' }] };
    expect(BaseAttributeDto.parse({ ...group, content: [group] })).toMatchObject({ content: [{ content: [data] }] });
  });

  it('are rejected if they have a constraint of an unknown type', () => {
    const definition = { ...data, type: 'data', constraints: [{ type: 'modulo', data: 7 }] };
    expect(BaseAttributeDto.safeParse(definition).success).toBe(false);
  });
});

describe('attribute values', () => {
  it('are sent with identifier, name, type and content, and unknown members are dropped', () => {
    const value = { uuid: 'a', name: 'validity', contentType: 'integer', content: [{ data: 365 }] };
    expect(RequestAttributeDto.parse({ ...value, label: 'Validity' })).toEqual(value);
    expect(RequestAttributeDto.safeParse({ ...value, content: undefined }).success).toBe(false);
  });

  it('are returned with label and kind, with or without content', () => {
    const value = { name: 'department', label: 'Department', type: 'custom', contentType: 'string' };
    expect(ResponseAttributeDto.parse(value)).toEqual(value);
  });
});
