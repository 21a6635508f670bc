import { describe, expect, it } from 'vitest';
import { groupedProfiles } from './last-profile.ts';

const profile = (uuid: string, isUsedByPlatform = false) => ({
  uuid,
  name: uuid,
  description: undefined,
  authorityUuid: 'a',
  authorityName: 'A',
  isUsedByPlatform,
});

const shapeOf = (last?: string) =>
  groupedProfiles([profile('ocsp-root', true), profile('servers'), profile('ocsp-mine')], last).map(
    ({ group, profiles }) => [group, ...profiles.map(({ name }) => name)],
  );

describe('the RA profiles to issue under', () => {
  it('come with those of the platform apart, behind the others, whatever their names', () => {
    expect(shapeOf()).toEqual([
      ['RA profiles', 'servers', 'ocsp-mine'],
      ['Used by the platform itself', 'ocsp-root'],
    ]);
  });

  it('begin with the one that was used last', () => {
    expect(shapeOf('ocsp-mine')).toEqual([
      ['Last used', 'ocsp-mine'],
      ['RA profiles', 'servers'],
      ['Used by the platform itself', 'ocsp-root'],
    ]);
    expect(shapeOf('ocsp-root')).toEqual([
      ['Last used', 'ocsp-root'],
      ['RA profiles', 'servers', 'ocsp-mine'],
    ]);
  });

  it('keep their order when the last one is gone', () => {
    expect(shapeOf('removed')).toEqual(shapeOf());
  });
});
