import { describe, expect, it } from 'vitest';
import { describeParameters, HIDDEN } from './parameters.ts';

describe('the parameters of a verbose record', () => {
  it('are recorded as names and values', () => {
    const parameters = { params: { uuid: 'u1' }, query: {}, body: { name: 'web', groups: ['a', 'b'], enabled: true } };
    expect(describeParameters(parameters)).toEqual(parameters);
  });

  it.each([
    ['password', 'x'],
    ['passphrase', 'x'],
    ['clientSecret', 'x'],
    ['token', 'x'],
    ['macKey', 'x'],
    ['jwkSet', 'x'],
    ['privateKey', { d: 'x' }],
    ['pin', 1234],
    ['content', [{ data: { secret: 'x' } }]],
    ['note', '-----BEGIN PRIVATE KEY-----'],
    ['url', 'https://user:x@host.example'],
    ['header', 'Bearer x'],
  ])('hide the value of %s', (name, value) => {
    const described = describeParameters({ body: [{ nested: { [name]: value } }] });
    expect(described).toEqual({ body: [{ nested: { [name]: HIDDEN } }] });
  });

  it('are limited in size, regardless of the input', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`) as object;
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`member${n}`, 'x'.repeat(10_000)]));
    const many = Array.from({ length: 1_000 }, () => [wide, wide]);
    const described = describeParameters({ body: { deep, wide, many } });
    expect(JSON.stringify(described).length).toBeLessThan(100_000);
    expect(describeParameters({ csr: 'M'.repeat(1_000) })).toEqual({ csr: `${'M'.repeat(200)}… (1000 characters)` });
  });
});
