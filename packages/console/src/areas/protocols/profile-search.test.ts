import { describe, expect, it } from 'vitest';
import { readProfileSearch } from './profile-search.ts';

describe('the address of a profile of a protocol', () => {
  it('keeps what it understands and leaves out the rest', () => {
    expect(readProfileSearch({ tab: 'requests', state: 'refused', text: 7, page: 3, other: true })).toEqual({
      tab: 'requests',
      state: 'refused',
      text: '7',
      page: 3,
    });
    expect(readProfileSearch({ tab: 'requests', state: 'toString', protocol: 'acme' })).toEqual({ tab: 'requests' });
    expect(readProfileSearch({ tab: 'nowhere', client: 7 })).toEqual({});
  });

  it('holds what belongs to the list of the open tab only', () => {
    const list = { state: 'issued', sort: 'state', page: 2 };
    expect(readProfileSearch({ tab: 'requests', ...list })).toEqual({ tab: 'requests', state: 'issued', page: 2 });
    expect(readProfileSearch({ tab: 'secrets', ...list })).toEqual({ tab: 'secrets', sort: 'state', page: 2 });
    expect(readProfileSearch({ tab: 'settings', ...list })).toEqual({ tab: 'settings' });
    expect(readProfileSearch({ tab: 'clients', client: 'sscep' })).toEqual({ client: 'sscep' });
  });
});
