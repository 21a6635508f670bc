import { createHash } from 'node:crypto';
import { platformOpenApi } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { docsPage, DOCS_CONTENT_POLICY } from './docs-page.ts';

describe('the page for an OpenAPI document', () => {
  const document = platformOpenApi('2.16.1');
  const page = docsPage({ document, basePath: '/api', links: [{ text: 'Document', href: '/api/openapi.json' }] });

  it('shows every operation with its path and permission', () => {
    expect(page.match(/<details id="[a-z]/g)).toHaveLength(
      Object.values(document['paths'] as object).flatMap((methods: object) => Object.keys(methods)).length +
        Object.keys((document['components'] as { schemas: object }).schemas).length,
    );
    expect(page).toContain('/api/v1/groups/{uuid}');
    expect(page).toContain('create on groups');
  });

  it('links references to their schemas', () => {
    const targets = [...page.matchAll(/href="#(shape-\w+)"/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(100);
    expect(targets.filter((target) => !page.includes(`id="${target}"`))).toEqual([]);
  });

  it('has an example for every operation', () => {
    expect(page).toContain('curl -X POST &quot;$SIGNETRY_URL/api/v1/groups&quot;');
    expect(page).toContain('Authorization: Bearer $TOKEN');
  });

  it('runs only its own script, loads no external resources, and escapes text from the document', () => {
    const [script = '', ...others] = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text);
    expect(others).toEqual([]);
    expect(page.match(/<script/gi)).toHaveLength(1);
    const hash = createHash('sha256').update(script).digest('base64');
    expect(DOCS_CONTENT_POLICY).toContain(`script-src 'sha256-${hash}';`);
    expect(page).not.toMatch(/<link|<img|src=/);
    const hostile = { info: { title: '<img onerror=x>', version: '1' }, paths: {}, components: { schemas: {} } };
    expect(docsPage({ document: hostile, basePath: '', links: [] })).not.toContain('<img');
  });
});
