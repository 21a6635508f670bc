import { expect, it } from 'vitest';
import { isResponderProfile, OCSP_DELEGATION_FEATURE } from './responder-profile.ts';

const uuid = '0199a000-0000-7000-8000-000000000001';
const authority = { uuid, name: 'Test Root', features: [OCSP_DELEGATION_FEATURE] };

it.each([
  ['ocsp-test-root', true],
  [`ocsp-test-root-${uuid}`, true],
  ['ocsp-servers', false],
  ['ocsp-test-root-2', false],
])('takes %j for the profile of the responder: %j', (name, expected) => {
  expect(isResponderProfile({ name }, authority)).toBe(expected);
});

it('takes none of an authority that certifies no responder for it', () => {
  expect(isResponderProfile({ name: 'ocsp-test-root' }, { ...authority, features: [] })).toBe(false);
});
