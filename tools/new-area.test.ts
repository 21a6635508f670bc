import { describe, expect, it } from 'vitest';
import { areaNames } from './new-area/names.ts';
import { hintsIn, templateProblems } from './template-text.ts';

describe('the area scaffold', () => {
  it('derives every name from the resource name', () => {
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

  it('accepts only resources of the API that have a distinct singular name', () => {
    expect(() => areaNames('lamps')).toThrow('"lamps" is not a resource of the API');
    expect(() => areaNames('keys', 'keys')).toThrow('"keys" is not a singular name for keys');
  });

  it('leaves hints that the check can find', () => {
    expect(hintsIn('x.ts', '// __area__, in one line, of __noun__')).toHaveLength(2);
  });

  it('has left no hints in this repository', () => {
    expect(templateProblems()).toEqual([]);
  });
});
