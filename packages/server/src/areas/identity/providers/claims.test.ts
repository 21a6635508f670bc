import { describe, expect, it } from 'vitest';
import { personOf, valueAt, type Claims } from './claims.ts';

const verified = { issuer: 'https://id.example', subject: 's-1' };
const person = (claims: Claims, configured = {}) => personOf(verified, { sub: 's-1', ...claims }, configured);

describe('the username', () => {
  it('is the first of the usual claims that has a text', () => {
    const claims = { username: 'u', preferred_username: 'p', upn: 'n', email: 'e@x.example' };
    const taken = Object.keys(claims).map(
      (_name, index) => person(Object.fromEntries(Object.entries(claims).slice(index))).username,
    );
    expect([...taken, person({ username: ' ', upn: 7 }).username]).toEqual(['u', 'p', 'n', 'e@x.example', 's-1']);
  });

  it('is read only from the configured claims if there are any', () => {
    expect(person({ username: 'u', nick: 'ann' }, { username: ['none', 'nick'] }).username).toBe('ann');
    expect(() => person({ username: 'u' }, { username: ['nick', 'login'] })).toThrow(
      'there is no claim "nick" or "login"',
    );
  });
});

describe('names, email, groups and roles', () => {
  it('have usual claims by default', () => {
    const claims = {
      given_name: 'Ann',
      family_name: 'Lee',
      email: ' ann@x.example ',
      groups: 'ops',
      roles: ['a', 'b'],
    };
    expect(person(claims)).toMatchObject({
      firstName: 'Ann',
      lastName: 'Lee',
      email: 'ann@x.example',
      groups: ['ops'],
      roles: ['a', 'b'],
    });
  });

  it('are read from nested claims, and roles from several of them', () => {
    const claims = {
      realm_access: { roles: ['a', 'b', ' ', 3] },
      resource_access: { 'pki.example': { roles: ['b', 'c'] } },
      'https://x.example/groups': ['g'],
      name: { first: 'Ann' },
    };
    const configured = {
      roles: ['realm_access.roles', 'resource_access.pki.example.roles', 'absent.roles'],
      groups: ['https://x.example/groups'],
      firstName: ['name.first'],
    };
    expect(person(claims, configured)).toMatchObject({ roles: ['a', 'b', 'c'], groups: ['g'], firstName: 'Ann' });
  });

  it('are rejected if they are neither a text nor a list, or too many', () => {
    expect(() => person({ roles: { a: true } })).toThrow('"roles" must be a name or a list of at most 200 names');
    expect(() => person({ roles: Array.from({ length: 201 }, (_each, index) => `r${index}`) })).toThrow('200 names');
    expect(() => person({ groups: 7 })).toThrow('"groups" must be a name or a list');
    expect(person({ roles: null })).toMatchObject({ roles: [] });
  });
});

it('reads own members of claims only', () => {
  expect(valueAt({}, 'constructor.name')).toBeUndefined();
  expect(valueAt({ list: ['a'] }, 'list.length')).toBeUndefined();
  expect(valueAt({ text: 'a' }, 'text.length')).toBeUndefined();
});
