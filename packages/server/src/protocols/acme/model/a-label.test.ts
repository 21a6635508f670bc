import { describe, expect, it } from 'vitest';
import { problemOfLabel } from './a-label.ts';

describe('a label of a DNS name', () => {
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
  ])('can be %s', (label) => {
    expect(problemOfLabel(label)).toBeUndefined();
  });

  it.each([
    [
      'ab--c',
      'hyphens reserved for internationalized names',
      /hyphens in the third and fourth position of a label are reserved for internationalized names, and/,
    ],
    [
      'r3---x',
      'hyphens reserved for internationalized names',
      /hyphens in the third and fourth position of a label are reserved for internationalized names, and/,
    ],
    ['xn--', 'an empty A-label', /is not a valid A-label \(RFC 5891 §5\.4\)/],
    ['xn--a', 'not Punycode', /is not a valid A-label \(RFC 5891 §5\.4\)/],
    ['xn--99zzzzzz', 'a code point above U+10FFFF', /is not a valid A-label \(RFC 5891 §5\.4\)/],
    ['xn--abc-', 'an A-label of ASCII characters only', /is not a valid A-label \(RFC 5891 §5\.4\)/],
    ['xn--a-ecp', 'an uppercase letter', /is not a valid A-label \(RFC 5891 §5\.4\)/],
    ['xn--1ug', 'only a joiner', /is not a valid A-label \(RFC 5891 §5\.4\)/],
    ['xn--ls8h', 'an emoji', /encodes characters that are not permitted in names \(RFC 5892\)/],
    ['xn--53h', 'a symbol', /encodes characters that are not permitted in names \(RFC 5892\)/],
    [
      'xn--a-0ea',
      'a middle dot that is not between two letters l',
      /is not a valid A-label \(RFC 5891 §5\.4\)|encodes characters that are not permitted in names \(RFC 5892\)/,
    ],
  ])('cannot be %s: %s', (label, _what, problem) => {
    expect(problemOfLabel(label)).toMatch(problem);
  });
});
