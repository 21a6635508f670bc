import type { Operation } from '@signetry/contract';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseInput } from './parse-input.ts';

const identifier = () => z.guid();
const Body = z.object({
  name: z.string().regex(/\S/, 'must not be blank'),
  attributes: z.array(z.object({ name: z.string(), content: z.array(z.string()) })),
  groups: z.array(z.string()).optional(),
  parentUuid: identifier(),
  keyUuid: identifier().optional(),
});
const PARENT = '5b1cf10a-7c4e-4b6e-8d8a-1c1a9f0b5a11';

/** Returns the body as a use case receives it. */
function read(body: unknown, path = '/v1/things'): unknown {
  // Only the properties that parsing uses.
  const operation = { path, body: Body, errors: [400, 422] } as unknown as Operation;
  return parseInput(operation, { body, params: {}, query: {} } as FastifyRequest).body;
}

const good = { name: 'a', attributes: [], parentUuid: PARENT };

describe('a body', () => {
  it('can omit lists at any depth, which are then empty', () => {
    expect(read({ name: 'a', parentUuid: PARENT })).toEqual(good);
    expect(read({ ...good, attributes: [{ name: 'b' }] })).toEqual({
      ...good,
      attributes: [{ name: 'b', content: [] }],
    });
  });

  it('can contain an empty string for an optional identifier, which is then treated as missing', () => {
    expect(read({ ...good, keyUuid: '' })).toEqual(good);
  });

  it('can contain unknown members only in the published interface, which ignores them', () => {
    expect(read({ ...good, colour: 'red' })).toEqual(good);
    const nested = { ...good, attributes: [{ name: 'b', content: [], scope: 'x' }], role: 'auditor' };
    expect(() => read(nested, '/x/v1/things')).toThrow(/attributes\.0\.scope: unknown field.*role: unknown field/);
    expect(read(good, '/x/v1/things')).toEqual(good);
  });

  it.each<[string, unknown, RegExp]>([
    ['a list that is no list', { ...good, attributes: {} }, /attributes: .*array/],
    ['an empty text for an identifier that must be there', { ...good, parentUuid: '' }, /parentUuid: is missing/],
    ['an identifier that is none', { ...good, keyUuid: 'none' }, /keyUuid: invalid GUID/i],
    ['a blank name', { ...good, name: '' }, /name: must not be blank/],
    ['another member that is missing', { parentUuid: PARENT }, /^[^;]*name: is missing[^;]*$/],
    ['a list in place of the object', [], /body: .*object/],
  ])('is rejected for %s', (_what, body, problem) => {
    expect(() => read(body)).toThrow(problem);
  });
});
