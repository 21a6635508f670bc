import { platformOpenApi } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { docsPage } from './docs-page.ts';

describe('the page of an interface document', () => {
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

  it('links a reference to the schema it names', () => {
    const targets = [...page.matchAll(/href="#(shape-\w+)"/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(100);
    expect(targets.filter((target) => !page.includes(`id="${target}"`))).toEqual([]);
  });

  it('holds no script and escapes what a document says', () => {
    expect(page).not.toMatch(/<script/i);
    const hostile = { info: { title: '<img onerror=x>', version: '1' }, paths: {}, components: { schemas: {} } };
    expect(docsPage({ document: hostile, basePath: '', links: [] })).not.toContain('<img');
  });
});
