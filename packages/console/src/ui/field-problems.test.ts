import { ApiError } from '@signetry/client';
import { describe, expect, it } from 'vitest';
import { fieldProblems } from './field-problems.ts';

const fields = ['name', 'dnsResolverIp', 'dnsResolver'] as const;

describe('a platform error', () => {
  it('is assigned to the fields that it names, as full sentences; the rest is kept', () => {
    const message = 'name: must not be blank; dnsResolverIp: must be an IP address; the authority does not respond';
    const { of, rest } = fieldProblems(new ApiError(400, { message }), fields);
    expect(of('name')).toBe('Must not be blank');
    expect(of('dnsResolverIp')).toBe('Must be an IP address');
    expect(of('dnsResolver')).toBeUndefined();
    expect(rest).toMatchObject({ status: 400, problems: ['the authority does not respond'] });
  });

  it('is fully assigned if every problem belongs to a field', () => {
    const error = new ApiError(422, { message: 'x', problems: ['name: is too long'] });
    expect(fieldProblems(error, fields).rest).toBeUndefined();
  });

  it('is shown next to the name field if the name already exists', () => {
    const message = 'Profile web already exists; names and contents must be unique.';
    const { of, rest } = fieldProblems(new ApiError(400, { message, code: 'ENTITY_NOT_UNIQUE' }), fields);
    expect(of('name')).toBe(message);
    expect(rest).toBeUndefined();
  });

  it('belongs to no field if the platform did not respond', () => {
    const error = new TypeError('fetch failed');
    expect(fieldProblems(error, fields).rest).toBe(error);
  });
});
