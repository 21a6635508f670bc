import { describe, expect, it } from 'vitest';
import { groupedProfiles } from './last-profile.ts';

const profile = (uuid: string) => ({
  uuid,
  name: uuid,
  description: undefined,
  authorityUuid: 'a',
  authorityName: 'A',
});

const shapeOf = (last?: string) =>
  groupedProfiles([profile('clients'), profile('servers')], last).map(({ group, profiles }) => [
    group,
    ...profiles.map(({ name }) => name),
  ]);

describe('the RA profiles for issuance', () => {
  it('start with the one used last', () => {
    expect(shapeOf('servers')).toEqual([
      ['Last used', 'servers'],
      ['RA profiles', 'clients'],
    ]);
  });

  it('keep their order if none was used, or if the last one no longer exists', () => {
    expect(shapeOf()).toEqual([['RA profiles', 'clients', 'servers']]);
    expect(shapeOf('removed')).toEqual(shapeOf());
  });
});
