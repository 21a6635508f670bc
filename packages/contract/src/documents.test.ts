import { describe, expect, it } from 'vitest';
import { connectorOpenApi, platformOpenApi } from './documents.ts';

type Json = { [key: string]: unknown };

const documents = [
  ['platform', platformOpenApi('1.2.3')],
  ['connector', connectorOpenApi('1.2.3')],
] as const;

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : references(inner),
  );
}

const at = (document: Json, ...keys: string[]) =>
  keys.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);

describe.each(documents)('the OpenAPI document of the %s', (_, document) => {
  const schemas = at(document, 'components', 'schemas') as Json;

  it('refers only to components it contains', () => {
    const found = references(document);
    expect(found.length).toBeGreaterThan(50);
    const dangling = found.filter((ref) => !(ref.replace('#/components/schemas/', '') in schemas));
    expect(dangling).toEqual([]);
  });

  it('contains no unreferenced component', () => {
    const used = new Set(references(document).map((ref) => ref.replace('#/components/schemas/', '')));
    expect(Object.keys(schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  it('gives every component schema the same name as the interface, with or without a request suffix', () => {
    expect(Object.keys(schemas).filter((name) => !/^[A-Z]\w*$/.test(name))).toEqual([]);
  });

  it('is identical each time it is generated', () => {
    const again = document === documents[0][1] ? platformOpenApi('1.2.3') : connectorOpenApi('1.2.3');
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
  });
});

describe("the platform's OpenAPI document", () => {
  const document = documents[0][1];

  it('specifies the version, the base path and the authentication schemes', () => {
    expect(document['info']).toMatchObject({ version: '1.2.3' });
    expect(document['servers']).toEqual([{ url: '/api' }]);
    expect(Object.keys(at(document, 'components', 'securitySchemes') as Json)).toEqual([
      'BearerJWTAuth',
      'CertificateAuth',
      'SessionAuth',
    ]);
  });

  it('does not require paging members in requests', () => {
    const body = at(document, 'paths', '/v1/auditLogs', 'post', 'requestBody', 'content', 'application/json', 'schema');
    const name = (body as { $ref: string }).$ref.replace('#/components/schemas/', '');
    expect(at(document, 'components', 'schemas', name)).not.toHaveProperty('required');
    expect(at(document, 'components', 'schemas', name, 'properties', 'itemsPerPage')).toMatchObject({
      default: 10,
      maximum: 1000,
    });
  });

  it('requires no credentials for public operations', () => {
    expect(at(document, 'paths', '/v1/health/liveness', 'get')).not.toHaveProperty('security');
    expect(at(document, 'paths', '/v1/groups', 'get', 'security')).toHaveLength(3);
  });
});
