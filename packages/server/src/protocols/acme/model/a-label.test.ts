import { describe, expect, it } from 'vitest';
import { problemOfLabel } from './a-label.ts';

describe('labels of names', () => {
  it.each([
    'www',
    'a--b',
    'xn--bcher-kva',
    'xn--zca',
    'xn--fa-hia',
    'xn--eckwd4c7c',
    'xn--ll-0ea',
    'xn--mgbh0fb',
    'xn--80ak6aa92e',
  ])('may be %s', (label) => {
    expect(problemOfLabel(label)).toBeUndefined();
  });

  it.each([
    ['ab--c', 'for something else than internationalized names', /third and fourth place/],
    ['r3---x', 'for something else than internationalized names', /third and fourth place/],
    ['xn--', 'without anything', /not the ASCII form/],
    ['xn--a', 'that is no Punycode', /not the ASCII form/],
    ['xn--99zzzzzz', 'beyond the last character', /not the ASCII form/],
    ['xn--abc-', 'that is ASCII', /not the ASCII form/],
    ['xn--a-ecp', 'of a capital letter', /not the ASCII form/],
    ['xn--1ug', 'of a joiner alone', /not the ASCII form/],
    ['xn--ls8h', 'of an emoji', /characters that names may not have/],
    ['xn--53h', 'of a symbol', /characters that names may not have/],
    [
      'xn--a-0ea',
      'of a middle dot between other letters than l',
      /characters that names may not have|not the ASCII form/,
    ],
  ])('may not be %s, an A-label %s', (label, _what, problem) => {
    expect(problemOfLabel(label)).toMatch(problem);
  });
});
