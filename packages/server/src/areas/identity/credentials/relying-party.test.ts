import { describe, expect, it } from 'vitest';
import { relyingPartyAt } from './relying-party.ts';

const PUBLIC = 'https://ca.example:8443/pki';

describe('passkeys', () => {
  it.each([
    ['https://ca.example:8443', PUBLIC, 'ca.example'],
    ['http://localhost:8080', PUBLIC, 'localhost'],
    ['https://localhost:8443', 'http://127.0.0.1:8080', 'localhost'],
  ])('work at %s if the public URL is %s', (opened, publicUrl, host) => {
    expect(relyingPartyAt(opened, publicUrl)).toEqual({ kind: 'usable', origin: opened, host });
  });

  it.each([
    ['an address of this machine', 'http://127.0.0.1:8080', PUBLIC, 'http://localhost:8080'],
    ['another one', 'http://[::1]:8080', 'http://127.0.0.1:8080', 'http://localhost:8080'],
    ['another address than the public one', 'https://10.0.0.1:8443', PUBLIC, 'https://ca.example:8443'],
    ['another name than the public one', 'https://alias.example:8443', PUBLIC, 'https://ca.example:8443'],
    ['another port than the public one', 'https://ca.example', PUBLIC, 'https://ca.example:8443'],
    ['a public URL without HTTPS', 'http://ca.example', 'http://ca.example', undefined],
    ['a public URL with an address', 'https://10.0.0.1', 'https://10.0.0.1', undefined],
    ['a public URL with an IPv6 address', 'https://[2001:db8::1]', 'https://[2001:db8::1]', undefined],
  ])('do not work at %s', (_what, opened, publicUrl, instead) => {
    expect(relyingPartyAt(opened, publicUrl)).toEqual({ kind: 'elsewhere', instead });
  });
});
