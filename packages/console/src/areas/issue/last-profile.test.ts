import { describe, expect, it } from 'vitest';
import { groupedProfiles } from './last-profile.ts';

const profile = (uuid: string, name = uuid) => ({
  uuid,
  name,
  description: undefined,
  authorityUuid: 'a',
  authorityName: 'A',
});

const shapeOf = (last?: string) =>
  groupedProfiles([profile('o', 'ocsp-root'), profile('servers'), profile('clients')], last).map(
    ({ group, profiles }) => [group, ...profiles.map(({ name }) => name)],
  );

describe('the RA profiles to issue under', () => {
  it('come with the platform-made ones apart, behind the others', () => {
    expect(shapeOf()).toEqual([
      ['RA profiles', 'servers', 'clients'],
      ['Made by the platform', 'ocsp-root'],
    ]);
  });

  it('begin with the one that was used last', () => {
    expect(shapeOf('clients')).toEqual([
      ['Last used', 'clients'],
      ['RA profiles', 'servers'],
      ['Made by the platform', 'ocsp-root'],
    ]);
    expect(shapeOf('o')).toEqual([
      ['Last used', 'ocsp-root'],
      ['RA profiles', 'servers', 'clients'],
    ]);
  });

  it('keep their order when the last one is gone', () => {
    expect(shapeOf('removed')).toEqual(shapeOf());
  });
});
