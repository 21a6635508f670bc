import { describe, expect, it } from 'vitest';
import { isOwnDomain } from './caa-default.ts';

describe('a domain is that of the authority', () => {
  it('when the authority is named within it', () => {
    const domains = ['example.com', 'pki.example.com', 'com', 'ample.com', 'www.example.com', 'example.org'];
    expect(domains.filter((domain) => isOwnDomain(domain, ['pki.example.com']))).toEqual([
      'example.com',
      'pki.example.com',
      'com',
    ]);
  });
});
