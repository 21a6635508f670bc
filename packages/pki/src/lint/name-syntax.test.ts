import { describe, expect, it } from 'vitest';
import { dnsProblem, mailboxProblem, uriProblem } from './name-syntax.ts';

describe('names', () => {
  it.each(['a.example', '*.example.com', 'xn--mller-kva.example', 'a1.b-c.d', `${'a'.repeat(63)}.example`])(
    'the DNS name %s is valid',
    (name) => {
      expect(dnsProblem(name)).toBeUndefined();
    },
  );

  it.each([
    '',
    '*',
    '*.',
    'a*.example.com',
    'a.*.example.com',
    '-a.example',
    'a-.example',
    'a..b',
    '.a',
    'a.',
    '192.0.2.1',
    '::1',
    'a b',
    'ä.example',
    'a.1',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}a`,
    'http://a',
  ])('the DNS name "%s" is invalid', (name) => {
    expect(dnsProblem(name)).toMatch(/^(?:is|must|ends)/);
  });

  it.each(['a@example.com', '"a b"@example.com', 'a+b.c@example.com', 'a@[192.0.2.1]'])(
    'the mailbox %s is valid',
    (value) => {
      expect(mailboxProblem(value)).toBeUndefined();
    },
  );

  it.each([
    '',
    '@',
    'a@',
    '@b.example',
    'a b@example.com',
    '.a@example.com',
    'a@-b',
    'a@*.example.com',
    `${'a'.repeat(65)}@b.example`,
  ])('the mailbox "%s" is invalid', (value) => {
    expect(mailboxProblem(value)).toMatch(/^(?:is|has)/);
  });

  it.each([
    'https://a.example/x',
    'urn:uuid:1',
    'spiffe://trust.example/w',
    'ldap://[2001:db8::1]:389/x',
    'https://u@a.example:1/',
  ])('the URI %s is valid', (value) => {
    expect(uriProblem(value)).toBeUndefined();
  });

  it.each(['', 'a', '//a', 'https://', 'https://a b', 'https://-a.example'])('the URI "%s" is invalid', (value) => {
    expect(uriProblem(value)).toMatch(/^(?:is|has)/);
  });
});
