import { describe, expect, it } from 'vitest';
import { areaNames } from './new-area/names.ts';
import { hintsIn, templateProblems } from './template-text.ts';

describe('the scaffold of an area', () => {
  it('derives every name from that of the resource', () => {
    expect(areaNames('tokenProfiles')).toEqual({
      things: 'tokenProfiles',
      Things: 'TokenProfiles',
      thing: 'tokenProfile',
      Thing: 'TokenProfile',
      'things-file': 'token-profiles',
      'thing-file': 'token-profile',
      table: 'token_profile',
      words: 'token profiles',
      Words: 'Token profiles',
      word: 'token profile',
      Word: 'Token profile',
    });
    expect([areaNames('entities').thing, areaNames('discoveries').thing]).toEqual(['entity', 'discovery']);
  });

  it('takes resources of the interface only, and a name for one that differs', () => {
    expect(() => areaNames('lamps')).toThrow('"lamps" is no resource of the interface');
    expect(() => areaNames('keys', 'keys')).toThrow('"keys" is no name for one of keys');
  });

  it('leaves hints that the check finds', () => {
    expect(hintsIn('x.ts', '// __area__, in one line, of __noun__')).toHaveLength(2);
  });

  it('has left no hint in this repository', () => {
    expect(templateProblems()).toEqual([]);
  });
});
