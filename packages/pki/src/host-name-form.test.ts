import { describe, expect, it } from 'vitest';
import { endsInNumber, hostNameForm, hostOfCommonName, requestedNames } from './host-name-form.ts';
import { buildName } from './names.ts';
import { parseNameText } from './name-text.ts';

describe('the canonical form of a host name', () => {
  it.each([
    ['web.example', 'web.example'],
    ['WEB.example', 'WEB.example'],
    ['web.example.', 'web.example'],
    ['*.web.example.', '*.web.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['*.Bücher.example.', '*.xn--bcher-kva.example'],
    ['straße.example', 'xn--strae-oqa.example'],
    ['例え。テスト。', 'xn--r8jz45g.xn--zckzah'],
    ['localhost', 'localhost'],
    ['10.example', '10.example'],
  ])('of %s is %s', (text, name) => {
    expect(hostNameForm(text)).toEqual({ name });
  });

  it.each([
    ['', /has a label that is not 1 to 63/],
    ['.', /has a label that is not 1 to 63/],
    ['a..example', /has a label that is not 1 to 63/],
    ['-a.example', /has a label that is not 1 to 63/],
    [`${'a'.repeat(64)}.example`, /has a label that is not 1 to 63/],
    [`${'a.'.repeat(127)}example`, /has more than 253 characters/],
    ['a.*.example', /wildcard/],
    ['**.example', /wildcard/],
    ['a_b.example', /contains an underscore.*; use a hyphen, or allow underscores in the RA profile$/],
    ['bü_cher.example', /contains an underscore/],
    ['a b.example', /contains characters/],
    ['ü@b.example', /contains characters/],
    ['ü:80', /contains characters/],
    ['ü/b.example', /contains characters/],
    ['ü%2eb.example', /contains characters/],
    ['ü／b.example', /contains characters/],
    ['１２７.0.0.1', /contains characters/],
    ['a\u202eb.example', /contains characters/],
  ])('does not exist for "%s"', (text, problem) => {
    expect(hostNameForm(text)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('permits underscores on request', () => {
    expect(hostNameForm('_a_b.bü.example', { allowUnderscores: true })).toEqual({ name: '_a_b.xn--b-eha.example' });
  });

  it('is not mistaken for an IP address', () => {
    expect(['127.1', '0x7f.0x1', '1'].map(endsInNumber)).toEqual([true, true, true]);
    expect(['1.example', 'x1', 'a.0b1'].map(endsInNumber)).toEqual([false, false, false]);
  });
});

describe('the names of a request', () => {
  const subject = (text: string) => buildName(parseNameText(text));

  it('are its alternative names and the hosts in all of its common names, each once', () => {
    const names = requestedNames(subject('CN=a.example+CN=b.example,CN=192.0.2.1,CN=Web server'), [
      { kind: 'dNSName', value: 'B.example.' },
      { kind: 'dNSName', value: 'bücher.example' },
    ]);
    const texts = names.map((name) => ('value' in name ? name.value : name.kind));
    expect(texts.toSorted()).toEqual(['B.example', 'a.example', 'iPAddress', 'xn--bcher-kva.example']);
  });

  it.each(['web', 'John Doe', 'a_b.example', 'v1.2', 'a..b', ''])('do not include the common name "%s"', (text) => {
    expect(hostOfCommonName(text)).toBeUndefined();
  });

  it.each(['localhost', '*.web.example', 'web.example.'])('include the common name "%s"', (text) => {
    expect(hostOfCommonName(text)).toEqual({ kind: 'dNSName', value: text.replace(/\.$/, '') });
  });
});
