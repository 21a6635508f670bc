import { expect, it } from 'vitest';
import { cmpUrl } from './cmp-url.ts';

it.each([
  ['profile', 'factory', 'https://pki.test/api/v1/protocols/cmp/factory'],
  ['raProfile', 'a b/ü', 'https://pki.test/api/v1/protocols/cmp/raProfile/a%20b%2F%C3%BC'],
] as const)('the CMP URL contains the name of the %s (%s)', (family, name, url) => {
  expect(cmpUrl('https://pki.test', { family, name })).toBe(url);
});
