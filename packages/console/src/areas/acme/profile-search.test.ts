import { describe, expect, it } from 'vitest';
import { readProfileSearch } from './profile-search.ts';

describe('the URL of an ACME profile page', () => {
  it('keeps known parameters and drops all others', () => {
    expect(readProfileSearch({ tab: 'orders', status: 'invalid', page: 3, other: true })).toEqual({
      tab: 'orders',
      status: 'invalid',
      page: 3,
    });
    expect(readProfileSearch({ tab: 'orders', status: 'toString', page: 'zero' })).toEqual({ tab: 'orders' });
    expect(readProfileSearch({ tab: 'orders', page: 1 })).toEqual({ tab: 'orders' });
    expect(readProfileSearch({ tab: 'nowhere', client: 7 })).toEqual({});
  });

  it('contains only parameters for the list in the open tab', () => {
    const list = { status: 'valid', text: 'web', page: 2 };
    expect(readProfileSearch({ tab: 'orders', ...list })).toEqual({ tab: 'orders', status: 'valid', page: 2 });
    expect(readProfileSearch({ tab: 'accounts', ...list })).toEqual({ tab: 'accounts', text: 'web', page: 2 });
    expect(readProfileSearch({ tab: 'settings', ...list })).toEqual({ tab: 'settings' });
    expect(readProfileSearch({ tab: 'clients', client: 'lego' })).toEqual({ client: 'lego' });
  });
});
