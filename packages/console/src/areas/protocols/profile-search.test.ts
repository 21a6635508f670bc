import { describe, expect, it } from 'vitest';
import { readProfileSearch } from './profile-search.ts';

describe('the URL of a protocol profile page', () => {
  it('keeps known parameters and drops all others', () => {
    expect(readProfileSearch({ tab: 'requests', state: 'refused', text: 7, page: 3, other: true })).toEqual({
      tab: 'requests',
      state: 'refused',
      text: '7',
      page: 3,
    });
    expect(readProfileSearch({ tab: 'requests', state: 'toString', protocol: 'smtp' })).toEqual({ tab: 'requests' });
    expect(readProfileSearch({ tab: 'nowhere', client: 7 })).toEqual({});
  });

  it('contains only parameters for the list in the open tab', () => {
    const list = { state: 'issued', sort: 'state', page: 2 };
    expect(readProfileSearch({ tab: 'requests', ...list })).toEqual({ tab: 'requests', state: 'issued', page: 2 });
    expect(readProfileSearch({ tab: 'secrets', ...list })).toEqual({ tab: 'secrets', sort: 'state', page: 2 });
    expect(readProfileSearch({ tab: 'settings', ...list })).toEqual({ tab: 'settings' });
    expect(readProfileSearch({ tab: 'clients', client: 'sscep' })).toEqual({ client: 'sscep' });
  });
});
