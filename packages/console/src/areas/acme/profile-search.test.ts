import { describe, expect, it } from 'vitest';
import { readProfileSearch } from './profile-search.ts';

describe('the address of an ACME profile', () => {
  it('keeps what it understands and leaves out the rest', () => {
    expect(readProfileSearch({ tab: 'orders', status: 'invalid', page: 3, other: true })).toEqual({
      tab: 'orders',
      status: 'invalid',
      page: 3,
    });
    expect(readProfileSearch({ tab: 'orders', status: 'toString', page: 'zero' })).toEqual({ tab: 'orders' });
    expect(readProfileSearch({ tab: 'orders', page: 1 })).toEqual({ tab: 'orders' });
    expect(readProfileSearch({ tab: 'nowhere', client: 7 })).toEqual({});
  });

  it('holds what belongs to the list of the open tab only', () => {
    const list = { status: 'valid', text: 'web', page: 2 };
    expect(readProfileSearch({ tab: 'orders', ...list })).toEqual({ tab: 'orders', status: 'valid', page: 2 });
    expect(readProfileSearch({ tab: 'accounts', ...list })).toEqual({ tab: 'accounts', text: 'web', page: 2 });
    expect(readProfileSearch({ tab: 'settings', ...list })).toEqual({ tab: 'settings' });
    expect(readProfileSearch({ tab: 'clients', client: 'lego' })).toEqual({ client: 'lego' });
  });
});
