import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { discoveryProviderOperations } from '../connector/discovery.ts';
import { entityProviderOperations } from '../connector/entity.ts';
import { credentialOperations } from '../platform/credentials.ts';
import { ApprovalProfileRequestDto } from '../platform/approval-profiles.ts';
import { NotificationProfileRequestDto } from '../platform/notification-profiles.ts';
import { CertificateType } from '../enums/certificates.ts';
import { ComplianceRuleStatus } from '../enums/compliance.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import { KeyAlgorithm } from '../enums/keys.ts';
import { date, dateTime, url } from '../primitives.ts';
import { attributeUuidOf } from './attribute-uuid.ts';
import { readLeniently, type Partner } from './read-leniently.ts';

const read = (schema: z.ZodType, value: unknown, partner: Partner): unknown => {
  const outcome = readLeniently(schema, value, partner);
  return outcome.success ? outcome.data : expect.fail(z.prettifyError(outcome.error));
};
const isReadable = (schema: z.ZodType, value: unknown, partner: Partner) =>
  readLeniently(schema, value, partner).success;

describe('a connector', () => {
  const discovery = discoveryProviderOperations.discoverCertificate.success.body;
  const started = { uuid: 'u', name: 'n', status: 'inProgress', totalCertificatesDiscovered: 0 };
  const none = { ...started, certificateData: [], meta: [] };

  it.each([
    ['null lists', { ...started, certificateData: null, meta: null }],
    ['no lists', started],
    ['a number as a text', { ...none, totalCertificatesDiscovered: '0' }],
    ['a text as a number', { ...none, name: 'n' }],
    ['members that nobody knows', { ...none, nobody: { knows: true } }],
  ])('can respond to a discovery with %s', (_what, answer) => {
    expect(read(discovery, answer, 'connector')).toEqual(none);
  });

  it('can send an empty response if a list is expected', () => {
    const definitions = entityProviderOperations.listLocationAttributes.success.body;
    for (const answer of [undefined, null]) expect(read(definitions, answer, 'connector')).toEqual([]);
  });

  it('can omit attribute identifiers, and send null for optional members', () => {
    const csr = entityProviderOperations.generateCsrLocation.success.body;
    const alias = { name: 'alias', contentType: 'string', content: [{ data: 'web', reference: null }] };
    expect(read(csr, { csr: 'x', metadata: null, pushAttributes: [alias] }, 'connector')).toEqual({
      csr: 'x',
      pushAttributes: [
        { uuid: attributeUuidOf('alias'), name: 'alias', contentType: 'string', content: [{ data: 'web' }] },
      ],
    });
  });

  it('cannot send null as a list item', () => {
    const definitions = entityProviderOperations.listLocationAttributes.success.body;
    expect(isReadable(definitions, [null], 'connector')).toBe(false);
  });

  it('can omit boolean members', () => {
    const location = entityProviderOperations.getLocationDetail.success.body;
    expect(read(location, { certificates: [{ certificateData: 'x' }] }, 'connector')).toMatchObject({
      certificates: [{ withKey: false }],
    });
  });

  it('can send unknown values of open enumerations at any depth, but not of those that are verdicts', () => {
    const keys = z.array(z.object({ algorithm: KeyAlgorithm, enabled: z.boolean() }));
    const given = [{ algorithm: 'HQC', enabled: 'true' }, { algorithm: 'RSA' }];
    expect(read(keys, given, 'connector')).toEqual([
      { algorithm: 'HQC', enabled: true },
      { algorithm: 'RSA', enabled: false },
    ]);
    expect(read(discovery, { ...none, status: 'queued' }, 'connector')).toMatchObject({ status: 'queued' });
    expect(isReadable(z.object({ status: ComplianceRuleStatus }), { status: 'fine' }, 'connector')).toBe(false);
  });

  it('can send null for members of any kind', () => {
    const schema = z.object({
      type: CertificateType.default('X.509'),
      visible: z.boolean().default(true),
      items: z.array(z.object({ note: z.string().optional() })),
    });
    const given = { type: null, visible: null, items: [{ note: null }] };
    expect(read(schema, given, 'connector')).toEqual({ type: 'X.509', visible: true, items: [{}] });
  });

  it('can use attributes of an unknown type, which do not hide the others', () => {
    const named = (name: string, contentType: string) => ({
      uuid: null,
      name,
      type: 'data',
      contentType,
      properties: { label: name, visible: true, required: false, readOnly: false, list: false, multiSelect: false },
    });
    const form = [named('vault', 'resource'), named('path', 'string')];
    expect(read(z.array(BaseAttributeDto), form, 'connector')).toMatchObject([
      { name: 'vault', contentType: 'resource' },
      { name: 'path', contentType: 'string', uuid: attributeUuidOf('path') },
    ]);
  });

  it('can send a file without its name or media type', () => {
    const file = {
      uuid: 'u',
      name: 'store',
      contentType: 'file',
      content: [{ data: { content: 'AA==', fileName: null } }],
    };
    expect(read(RequestAttributeDto, file, 'connector')).toMatchObject({
      content: [{ data: { content: 'AA==', fileName: '', mimeType: '' } }],
    });
  });

  it('is rejected if its response has problems that lenient parsing does not fix', () => {
    const outcome = readLeniently(discovery, { ...started, name: undefined, certificateData: 'x' }, 'connector');
    expect(outcome.error?.issues.map(({ path }) => path.join('.'))).toEqual(['name', 'certificateData']);
  });
});

describe('a client', () => {
  const step = { order: '1', requiredApprovals: '2', userUuid: '0a3dc1a4-1111-4222-8333-000000000001' };

  it('can send numbers and booleans as strings', () => {
    const sent = { name: 'a', enabled: 'false', approvalSteps: [step], expiry: '24', description: 'd' };
    expect(read(ApprovalProfileRequestDto, sent, 'client')).toMatchObject({
      expiry: 24,
      approvalSteps: [{ order: 1, requiredApprovals: 2 }],
    });
    const profile = { name: 'n', repetitions: ' 3 ', internalNotification: 'TRUE', recipientType: 'none' };
    expect(read(NotificationProfileRequestDto, profile, 'client')).toMatchObject({
      repetitions: 3,
      internalNotification: true,
    });
    expect(isReadable(ApprovalProfileRequestDto, { ...sent, expiry: 'a day' }, 'client')).toBe(false);
    expect(isReadable(ApprovalProfileRequestDto, { ...sent, expiry: '1e3' }, 'client')).toBe(false);
  });

  it('can send attribute values as strings of their type', () => {
    const value = (contentType: string, data: unknown) => ({ uuid: '', name: 'n', contentType, content: [{ data }] });
    const content = (contentType: string, data: unknown) =>
      (read(RequestAttributeDto, value(contentType, data), 'client') as z.output<typeof RequestAttributeDto>).content;
    expect(content('integer', '30')).toEqual([{ data: 30 }]);
    expect(content('float', '2.5')).toEqual([{ data: 2.5 }]);
    expect(content('boolean', 'True')).toEqual([{ data: true }]);
    expect(content('secret', ' p ')).toEqual([{ data: { secret: ' p ' } }]);
    expect(content('string', '30')).toEqual([{ data: '30' }]);
    expect(content('integer', 'thirty')).toEqual([{ data: 'thirty' }]);
    expect(content('secret', '')).toEqual([{ data: '' }]);
  });

  it('sends input that parsing does not modify', () => {
    const sent = {
      name: 'API',
      kind: 'Basic',
      connectorUuid: '',
      attributes: [{ uuid: 'u', name: 'p', contentType: 'secret', content: [{ data: 'p' }] }],
    };
    const before = structuredClone(sent);
    readLeniently(credentialOperations.createCredential.body, sent, 'client');
    expect(sent).toEqual(before);
  });

  it.each([
    ['identifier', z.guid()],
    ['address', z.url()],
    ['address of any scheme', url()],
    ['word', z.enum(['one', 'two'])],
    ['number', z.number()],
    ['boolean', z.boolean()],
    ['instant', dateTime()],
    ['date', date()],
  ])('can send an empty string for an optional %s, but not for a required one', (_what, schema) => {
    expect(read(z.object({ value: schema.optional() }), { value: '' }, 'client')).toEqual({});
    expect(isReadable(z.object({ value: schema }), { value: '' }, 'client')).toBe(false);
  });

  it.each(['expiresAt', 'expiry', 'filters', 'scope', 'uuids', 'recipientUuids', 'validTo'])(
    'cannot send an empty string for %s, because that would widen the request',
    (name) => {
      const schema = z.object({
        [name]: z.union([z.guid(), z.iso.datetime(), z.object({ x: z.guid().optional() })]).optional(),
      });
      expect(isReadable(schema, { [name]: '' }, 'client')).toBe(false);
      expect(isReadable(schema, { [name]: { x: '' } }, 'client')).toBe(false);
    },
  );

  it.each(['conditionsUuids', 'uuids', 'permissions'])('cannot omit the list %s, but connectors can', (name) => {
    const schema = z.object({ [name]: z.array(z.guid()), others: z.array(z.string()) });
    expect(isReadable(schema, { [name]: null }, 'client')).toBe(false);
    expect(read(schema, { [name]: [] }, 'client')).toEqual({ [name]: [], others: [] });
    expect(read(schema, { [name]: null }, 'connector')).toEqual({ [name]: [], others: [] });
  });

  it('gets no default for omitted booleans or identifiers', () => {
    expect(isReadable(z.object({ enabled: z.boolean() }), {}, 'client')).toBe(false);
    expect(isReadable(z.object({ uuid: z.string() }), {}, 'client')).toBe(false);
  });
});
