import { describe, expect, it } from 'vitest';
import { nameRejection, storedNamePolicy } from './name-policy.ts';

const rejectionOf = (policy: object, type: 'dns' | 'ip', value: string) => {
  const stored = storedNamePolicy(policy) ?? expect.unreachable('a policy without rules');
  return nameRejection(stored, { type, value });
};
const dns = (policy: object, value: string) => rejectionOf(policy, 'dns', value);
const ip = (policy: object, value: string) => rejectionOf(policy, 'ip', value);

describe('a name policy', () => {
  it('without rules is stored as null', () => {
    expect([storedNamePolicy(), storedNamePolicy({ allowedDnsSuffixes: [], allowWildcards: true })]).toEqual([
      null,
      null,
    ]);
  });

  it('is normalized when stored', () => {
    const policy = {
      allowedDnsSuffixes: ['Example.com', '.example.com', '*.example.com'],
      deniedIpRanges: ['2001:DB8::1'],
    };
    expect(storedNamePolicy(policy)).toEqual({
      allowedDnsSuffixes: ['example.com'], deniedDnsSuffixes: [], allowedIpRanges: [], deniedIpRanges: ['2001:db8::1'],
      allowWildcards: true,
    }); // prettier-ignore
  });

  it.each(['example.com', 'a.example.com', 'a.b.example.com', '*.example.com', '*.a.example.com'])(
    'that allows example.com allows %s',
    (name) => expect(dns({ allowedDnsSuffixes: ['other.test', 'example.com'] }, name)).toBeUndefined(),
  );

  it.each(['com', 'example.org', 'notexample.com', 'example.com.evil.test', '*.com'])(
    'that allows example.com rejects %s',
    (name) =>
      expect(dns({ allowedDnsSuffixes: ['example.com'] }, name)).toContain('allowed DNS suffixes (example.com)'),
  );

  it('that allows only DNS names rejects IP addresses, and vice versa', () => {
    expect(ip({ allowedDnsSuffixes: ['example.com'] }, '192.0.2.1')).toContain('allowed IP ranges (none)');
    expect(dns({ allowedIpRanges: ['192.0.2.0/24'] }, 'example.com')).toContain('allowed DNS suffixes (none)');
  });

  it('with only deny rules allows everything else', () => {
    const policy = { deniedDnsSuffixes: ['secret.test'], deniedIpRanges: ['192.0.2.0/24'] };
    expect([dns(policy, 'a.test'), dns(policy, 'notsecret.test'), ip(policy, '198.51.100.1')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(dns(policy, 'a.secret.test')).toBe('the DNS suffix secret.test is denied');
    expect(ip(policy, '192.0.2.7')).toBe('the IP range 192.0.2.0/24 is denied');
  });

  it('gives deny rules precedence over allow rules', () => {
    const policy = { allowedDnsSuffixes: ['test'], deniedDnsSuffixes: ['secret.test'] };
    expect([dns(policy, 'open.test'), dns(policy, 'secret.test')]).toEqual([
      undefined,
      'the DNS suffix secret.test is denied',
    ]);
  });

  it('rejects only wildcards that would cover a denied name', () => {
    const policy = { deniedDnsSuffixes: ['secret.example.com'] };
    expect(dns(policy, '*.example.com')).toContain('it would cover secret.example.com');
    expect(dns(policy, '*.secret.example.com')).toBe('the DNS suffix secret.example.com is denied');
    expect([dns(policy, '*.open.example.com'), dns(policy, 'example.com')]).toEqual([undefined, undefined]);
  });

  it('can reject all wildcards', () => {
    const policy = { allowedDnsSuffixes: ['example.com'], allowWildcards: false };
    expect([dns(policy, 'www.example.com'), dns(policy, '*.example.com')]).toEqual([
      undefined,
      'wildcards are not allowed',
    ]);
  });

  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
  ])('that allows %s accepts %s: %s', (range, address, isAllowed) => {
    expect(ip({ allowedIpRanges: [range] }, address) === undefined).toBe(isAllowed);
  });

  it('truncates long lists in its error message', () => {
    const allowedDnsSuffixes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((label) => `${label}.test`);
    expect(dns({ allowedDnsSuffixes }, 'x.example')).toContain('(a.test, b.test, c.test, d.test, e.test and 2 more)');
  });
});
