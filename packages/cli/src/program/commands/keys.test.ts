// Commands for keys in tokens, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask, type Replies } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const other = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0f';
const [token, profile] = ['0197b1f4-5d3a-7cc2-9d4e-000000000001', '0197b1f4-5d3a-7cc2-9d4e-000000000002'];
const facts = { keyAlgorithm: 'ECDSA', length: 256, enabled: true, state: 'active', complianceStatus: 'not_checked' };
const half = (type: string) => ({
  ...facts,
  uuid: `${type}-item`,
  name: 'slot-documents',
  keyName: 'documents',
  type,
  format: type === 'Public' ? 'SubjectPublicKeyInfo' : 'Custom',
  keyWrapperUuid: uuid,
  tokenInstanceName: 'strongroom',
  creationTime: '2026-11-20T10:00:00Z',
  associations: 0,
});
const listReply = (items: readonly object[]) => ({
  'POST /v1/keys': {
    body: { cryptographicKeys: items, itemsPerPage: 50, pageNumber: 1, totalItems: items.length, totalPages: 1 },
  },
});
const detail = {
  uuid,
  name: 'Document signing',
  creationTime: '2026-11-20T10:00:00Z',
  tokenInstanceName: 'strongroom',
  tokenProfileName: 'signing',
  attributes: [],
  complianceStatus: 'not_checked',
  associations: [{ uuid: other, name: 'Document CA', resource: 'authorities' }],
  items: [
    { ...half('Private'), usage: ['sign'] },
    { ...half('Public'), usage: ['verify'], keyData: 'A'.repeat(70) },
  ],
};
const one: Replies = {
  ...listReply([half('Private'), half('Public')]),
  [`GET /v1/keys/${uuid}`]: { body: detail },
  [`PATCH /v1/keys/${uuid}/destroy`]: { status: 204 },
};

describe('keys list', () => {
  it('prints a table, and sends the specified filters', async () => {
    const { code, out, err, asked } = await ask(one, [
      'keys', 'list', '--state', 'active', '--filter', 'docu', '--filter', 'CKI_TYPE=Private',
    ]); // prettier-ignore
    expect([code, err]).toEqual([0, '2 keys.']);
    expect(out.split('\n')[1]).toMatch(/^documents +Private +active +ECDSA 256 +strongroom +.*0197b1f4/);
    const property = (fieldIdentifier: string, condition: string, value: unknown) => ({
      fieldSource: 'property',
      fieldIdentifier,
      condition,
      value,
    });
    expect(asked.at(-1)?.body).toMatchObject({
      filters: [
        property('CKI_NAME', 'CONTAINS', 'docu'),
        property('CKI_TYPE', 'EQUALS', ['Private']),
        property('CKI_STATE', 'EQUALS', ['active']),
      ],
    });
  });
});

describe('keys show', () => {
  it('finds a key by name, and prints its private and public parts and the objects that use it', async () => {
    const { code, out } = await ask(one, ['keys', 'show', 'documents']);
    expect(code).toBe(0);
    expect(out).toMatch(/Private key +ECDSA 256, active/);
    expect(out).toMatch(/Used by +Document CA \(authorities\)/);
  });

  it('prints the public key as PEM', async () => {
    const { out } = await ask(one, ['keys', 'show', uuid, '--pem']);
    expect(out).toBe(`-----BEGIN PUBLIC KEY-----\n${'A'.repeat(64)}\n${'A'.repeat(6)}\n-----END PUBLIC KEY-----`);
  });

  it('lists the candidates for an ambiguous name', async () => {
    const replies = listReply([half('Private'), { ...half('Private'), keyName: 'mail', keyWrapperUuid: other }]);
    const { code, err } = await ask(replies, ['keys', 'show', 'slot-documents']);
    expect(code).toBe(1);
    expect(err).toContain(other);
  });

  it('prefers the key with this name to keys whose parts have this name in a token', async () => {
    const items = [{ ...half('Private'), name: 'documents', keyName: 'mail', keyWrapperUuid: other }, half('Private')];
    const { code, out } = await ask({ ...one, ...listReply(items) }, ['keys', 'show', 'documents']);
    expect([code, out]).toEqual([0, expect.stringContaining(uuid)]);
  });
});

describe('keys create', () => {
  const attribute = (name: string, label: string, choices: readonly string[] = []) => ({
    uuid: `${name}-uuid`,
    name,
    type: 'data',
    contentType: 'string',
    ...(choices.length > 0 && { content: choices.map((data) => ({ data, reference: `ECDSA ${data}` })) }),
    properties: { label, visible: true, required: true, readOnly: false, list: choices.length > 0 },
  });
  const path = `/v1/tokens/${token}/tokenProfiles/${profile}/keys/keyPair`;
  const replies: Replies = {
    'GET /v1/tokenProfiles': {
      body: [
        {
          uuid: profile,
          name: 'signing',
          tokenInstanceUuid: token,
          tokenInstanceName: 'strongroom',
          tokenInstanceStatus: 'Activated',
          enabled: true,
          usages: ['sign'],
        },
      ],
    },
    [`GET ${path}/attributes`]: {
      body: [attribute('alias', 'Alias'), attribute('spec', 'Algorithm and size', ['P-256'])],
    },
    [`POST ${path}`]: { status: 201, body: detail },
  };
  const create = (...given: string[]) =>
    ask(replies, ['keys', 'create', 'documents', '--profile', 'signing', ...given]);

  it('sends the attributes that the token requires, specified by name or label', async () => {
    const { code, asked } = await create('--set', 'alias=docs', '--set', 'Algorithm and size=P-256');
    expect(code).toBe(0);
    expect(asked.at(-1)?.body).toEqual({
      name: 'documents',
      description: '',
      enabled: true,
      customAttributes: [],
      attributes: [
        { uuid: 'alias-uuid', name: 'alias', contentType: 'string', content: [{ data: 'docs' }] },
        { uuid: 'spec-uuid', name: 'spec', contentType: 'string', content: [{ data: 'P-256' }] },
      ],
    });
  });

  it('reports all missing and unknown attributes together, and creates nothing', async () => {
    const { code, err, asked } = await create('--set', 'color=red');
    expect(code).toBe(2);
    expect(err).toContain('Attribute "color" is not defined; accepted attributes: alias, spec.');
    expect(err).toContain('Attribute "alias" (Alias) is required.');
    expect(err).toContain('Attribute "spec" (Algorithm and size) is required; allowed values: P-256.');
    expect(asked.map(({ method }) => method)).not.toContain('POST');
  });
});

describe('keys destroy', () => {
  it('destroys nothing without --yes, and lists the objects that use the key', async () => {
    const { code, err, asked } = await ask(one, ['keys', 'destroy', uuid]);
    expect(code).toBe(2);
    expect(err).toContain('It is used by Document CA.');
    expect(asked.map(({ method }) => method)).toEqual(['GET']);
  });

  it('destroys both parts of a key pair', async () => {
    const { code, err, asked } = await ask(one, ['keys', 'destroy', 'documents', '--yes']);
    expect([code, err]).toEqual([0, `Key "Document signing" (${uuid}) destroyed.`]);
    expect(asked.at(-1)).toMatchObject({ method: 'PATCH', body: [] });
  });
});
