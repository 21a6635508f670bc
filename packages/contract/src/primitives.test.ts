import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { platformOperations } from './catalog.ts';
import type { Operation } from './operation.ts';
import { description, line, MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, objectName } from './primitives.ts';

const accepts = (schema: z.ZodType, text: string): boolean => schema.safeParse(text).success;

describe('an object name', () => {
  it('is a single non-blank line that is short enough for an index', () => {
    for (const name of ['web', 'Büro 4 · 東京', 'x'.repeat(MAX_NAME_LENGTH)])
      expect(accepts(objectName(), name)).toBe(true);
    for (const name of ['', ' ', 'x'.repeat(MAX_NAME_LENGTH + 1), 'a\nb', 'a\0b', 'a\u007f'])
      expect(accepts(objectName(), name), JSON.stringify(name.slice(0, 5))).toBe(false);
  });

  it('can be empty where any single line is accepted, and a description can have multiple lines', () => {
    expect(accepts(line(), '')).toBe(true);
    expect(accepts(line(), 'a\tb')).toBe(false);
    expect(accepts(description(), 'a\r\n\tb')).toBe(true);
    expect(accepts(description(), 'a\u001bb')).toBe(false);
    expect(accepts(description(), 'x'.repeat(MAX_DESCRIPTION_LENGTH + 1))).toBe(false);
  });
});

describe('every operation', () => {
  const texts = /^(?:name|username|firstName|lastName|description|email|kind|url|.+Url)$/;
  // Object permissions repeat the object's name, which is ignored.
  const sent = Object.values<Operation>(platformOperations).flatMap(({ id, body }) =>
    body instanceof z.ZodObject && id !== 'updateResourcePermissionObjects'
      ? Object.entries(body.shape as Record<string, z.ZodType>)
          .filter(([field]) => texts.test(field))
          .map(([field, schema]) => ({ what: `${id} ${field}`, schema }))
      : [],
  );

  it('limits the length of the names, descriptions and URLs that it accepts', () => {
    expect(sent.length).toBeGreaterThan(20);
    const unbounded = sent.filter(({ schema }) => accepts(schema, 'x'.repeat(2_001)));
    expect(unbounded.map(({ what }) => what)).toEqual([]);
  });
});
