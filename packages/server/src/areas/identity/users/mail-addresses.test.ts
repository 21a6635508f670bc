import { describe, expect, it } from 'vitest';
import { isMailAddress, problemsOfMailAddress } from './mail-addresses.ts';

describe('an email address', () => {
  it.each([
    'anna@example.com',
    'anna.maria+pki@mail.example.com',
    "o'neil@example.com",
    'root@localhost',
    'jürgen@müller.example',
    '用户@例子.example',
    `${'a'.repeat(64)}@example.com`,
  ])('can be %s', (text) => {
    expect(isMailAddress(text)).toBe(true);
  });

  it.each([
    'anna',
    'anna@',
    '@example.com',
    'anna@example.com, eve@example.com',
    'anna@example.com;eve@example.com',
    'Anna <anna@example.com>',
    'anna@example.com\r\nBcc: eve@example.com',
    'anna@exa mple.com',
    'anna@@example.com',
    'anna@-example.com',
    'anna@example..com',
    '.anna@example.com',
    'anna..maria@example.com',
    '"anna"@example.com',
    'anna@[127.0.0.1]',
    'anna@example.com\u0000',
    `${'a'.repeat(65)}@example.com`,
    `anna@${'a.'.repeat(150)}com`,
    'javascript:alert(1)',
  ])('cannot be %j', (text) => {
    expect(isMailAddress(text)).toBe(false);
    expect(problemsOfMailAddress(text)[0]).toMatch(/is not valid\. Enter one address/);
  });

  it('can be absent', () => {
    expect(problemsOfMailAddress(null)).toEqual([]);
  });
});
