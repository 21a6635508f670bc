import { describe, expect, it } from 'vitest';
import { firstTarget } from './http-target.ts';
import type { ChallengeToValidate, ValidationRules } from './challenge.ts';

const rules = (http01Port: number): ValidationRules => ({
  resolver: undefined,
  http01Port,
  tlsAlpn01Port: 443,
  allowLoopback: false,
  caaIdentities: [],
  issuerDomainNames: [],
});

const challenge = (type: 'dns' | 'ip', value: string): ChallengeToValidate => ({
  type: 'http-01',
  identifier: { type, value },
  token: 'token',
  keyAuthorization: 'token.thumbprint',
  accountUrls: [],
  accountHashPrefixes: [],
  keyThumbprints: [],
});

describe('the first http-01 target', () => {
  it.each([
    ['dns', 'www.example.test', 80, 'www.example.test'],
    ['dns', 'www.example.test', 5002, 'www.example.test:5002'],
    ['ip', '192.0.2.1', 80, '192.0.2.1'],
    ['ip', '2001:db8::1', 80, '[2001:db8::1]'],
    ['ip', '2001:db8::1', 5002, '[2001:db8::1]:5002'],
  ] as const)(
    'requests %s %s on port %i with the host %s (RFC 9110 §7.2, RFC 8738 §5)',
    (type, value, port, authority) => {
      expect(firstTarget(challenge(type, value), rules(port))).toEqual({
        isTls: false,
        host: value,
        port,
        shownAs: value,
        authority,
        path: '/.well-known/acme-challenge/token',
      });
    },
  );
});
