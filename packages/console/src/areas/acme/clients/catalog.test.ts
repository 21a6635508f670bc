import { describe, expect, it } from 'vitest';
import { acmeClients, clientOf } from './catalog.ts';
import { namesFrom, ROOT_FILE, type Setup } from './setup.ts';

const setup: Setup = {
  directoryUrl: 'https://ca.test:8443/api/v1/protocols/acme/web/directory',
  names: ['www.example.test', '*.apps.example.test'],
  email: 'admin@example.test',
  externalKey: undefined,
  rootBase64: 'Um9vdA==',
};
const key = { keyId: 'kid-of-the-team', macKey: 'mac-of-the-team' };

describe.each(acmeClients)('the instructions for $label', ({ id, trust, snippets }) => {
  const textOf = (given: Setup): string =>
    snippets(given)
      .map(({ text }) => text)
      .join('\n');

  it('contain the directory URL and the contact', () => {
    expect(textOf(setup)).toContain(setup.directoryUrl);
    expect(textOf(setup)).toContain(setup.email);
  });

  it('specify the root certificate, unless the machine already trusts it', () => {
    if (trust === 'file') expect(textOf(setup)).toContain(ROOT_FILE);
    if (trust === 'snippet') expect(textOf(setup)).toContain(setup.rootBase64);
  });

  it('contain the EAB key if there is one, and do not mention EAB otherwise', () => {
    const text = textOf({ ...setup, externalKey: key });
    expect(text).toContain(key.keyId);
    expect(text).toContain(key.macKey);
    expect(textOf(setup)).not.toMatch(/eab|ExternalAccount|externalAccount|undefined/);
  });

  it('prevent shells from expanding an asterisk', () => {
    const commands = snippets(setup).filter(({ place }) => place === 'Shell');
    for (const { text } of commands) expect(text).not.toMatch(/ \*\./);
  });

  it('are found by the client name in the URL', () => {
    expect(clientOf(id).id).toBe(id);
  });
});

it('the instructions for an unknown client are those for the first client', () => {
  expect(clientOf('nobody')).toBe(acmeClients[0]);
});

it('names can be separated in various ways, and an example is used if there are none', () => {
  expect(namesFrom(' a.test, b.test;c.test\nd.test ')).toEqual(['a.test', 'b.test', 'c.test', 'd.test']);
  expect(namesFrom('  ')).toEqual(['www.example.com']);
});
