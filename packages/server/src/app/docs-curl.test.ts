import { describe, expect, it } from 'vitest';
import { curlOf } from './docs-curl.ts';

const base = { method: 'GET', path: '/api/v1/groups', query: [], needsToken: true } as const;

describe('the example for an operation', () => {
  it('contains named placeholders, and reads the URL and the token from shell variables', () => {
    expect(curlOf({ ...base, path: '/api/v1/groups/{groupUuid}', query: ['from'] }, {})).toBe(
      'curl "$SIGNETRY_URL/api/v1/groups/GROUP_UUID?from=FROM" \\\n  -H "Authorization: Bearer $TOKEN"',
    );
    expect(curlOf({ ...base, needsToken: false }, {})).toBe('curl "$SIGNETRY_URL/api/v1/groups"');
  });

  it('contains the required body members, quoted for the shell', () => {
    const schemas = {
      Owner: { type: 'object', properties: { kind: { enum: ["o'neil", 'x'] } }, required: ['kind'] },
      Loop: { $ref: '#/components/schemas/Loop' },
    };
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string' },
        note: { type: 'string' },
        owner: { $ref: '#/components/schemas/Owner' },
        list: { type: 'array' },
        loop: { $ref: '#/components/schemas/Loop' },
      },
      required: ['name', 'owner', 'list', 'loop'],
    };
    const text = curlOf({ ...base, method: 'POST', body: { media: 'application/json', schema } }, schemas);
    expect(text).toContain('curl -X POST');
    expect(text).toContain(`-d '{"name":"string","owner":{"kind":"o'\\''neil"},"list":[],"loop":{}}'`);
  });
});
