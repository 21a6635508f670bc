import { MAX_NAME_LENGTH } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { isNameInUrls, problemsOfName, protocolUrl } from './profile-addresses.ts';
import type { ProtocolFacts } from './protocol.ts';

const protocol: ProtocolFacts = {
  name: 'SCEP',
  word: 'scep',
  resource: 'scepProfiles',
  purposes: ['issue'],
  tables: { profiles: 'p', activations: 'a', activatedProfile: 'p_uuid' },
};

describe('the name of a profile', () => {
  it.each(['default', 'Team-1_a.b~c', '...', 'raprofile', 'x'.repeat(MAX_NAME_LENGTH)])('may be %s', (name) => {
    expect(problemsOfName(protocol, name)).toEqual([]);
  });

  it.each(['with space', 'a/b', 'a%20b', 'é', '', '.', '..', 'x'.repeat(MAX_NAME_LENGTH + 1)])(
    'may not be %s',
    (name) => {
      expect(problemsOfName(protocol, name)).toEqual([expect.stringContaining('SCEP profile appears in URLs')]);
    },
  );

  it('may not be the word that begins the addresses of RA profiles', () => {
    expect(problemsOfName(protocol, 'raProfile')).toEqual([expect.stringContaining('addresses of RA profiles')]);
  });

  it.each(['a b', 'a\0b', 'a/b', ''])('is not looked for when it cannot be one (%j)', (name) => {
    expect(isNameInUrls(name)).toBe(false);
  });
});

describe('the address of a protocol', () => {
  it('lies below the name of the profile, or below the name of an RA profile', () => {
    const url = (family: 'profile' | 'raProfile') => protocolUrl('https://pki.test', { protocol, family, name: 'a b' });
    expect(url('profile')).toBe('https://pki.test/api/v1/protocols/scep/a%20b');
    expect(url('raProfile')).toBe('https://pki.test/api/v1/protocols/scep/raProfile/a%20b');
  });
});
