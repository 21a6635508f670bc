import { MAX_NAME_LENGTH } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { isNameInUrls, problemsOfName, protocolUrl } from './profile-urls.ts';
import type { ProtocolFacts } from './protocol.ts';

const protocol: ProtocolFacts = {
  name: 'SCEP',
  word: 'scep',
  resource: 'scepProfiles',
  purposes: ['issue'],
  tables: { profiles: 'p', activations: 'a', activatedProfile: 'p_uuid' },
};

describe('the name of a profile', () => {
  it.each(['default', 'Team-1_a.b~c', '...', 'raprofile', 'x'.repeat(MAX_NAME_LENGTH)])('can be %s', (name) => {
    expect(problemsOfName(protocol, name)).toEqual([]);
  });

  it.each(['with space', 'a/b', 'a%20b', 'é', '', '.', '..', 'x'.repeat(MAX_NAME_LENGTH + 1)])(
    'cannot be %s',
    (name) => {
      expect(problemsOfName(protocol, name)).toEqual([expect.stringContaining('SCEP profile appears in URLs')]);
    },
  );

  it('cannot be the first word of RA profile URLs', () => {
    expect(problemsOfName(protocol, 'raProfile')).toEqual([expect.stringContaining('is reserved:')]);
  });

  it.each(['a b', 'a\0b', 'a/b', ''])('is not looked up if it is invalid (%j)', (name) => {
    expect(isNameInUrls(name)).toBe(false);
  });
});

describe('the URL of a protocol', () => {
  it('starts with the name of the profile or with the name of an RA profile', () => {
    const url = (family: 'profile' | 'raProfile') => protocolUrl('https://pki.test', { protocol, family, name: 'a b' });
    expect(url('profile')).toBe('https://pki.test/api/v1/protocols/scep/a%20b');
    expect(url('raProfile')).toBe('https://pki.test/api/v1/protocols/scep/raProfile/a%20b');
  });
});
