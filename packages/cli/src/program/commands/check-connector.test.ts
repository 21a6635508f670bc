import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults, startPlainAuthority, type PlainAuthority } from '@signetry/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { run, temporaryFolder } from '../testing/fake-platform.ts';

let connector: PlainAuthority | undefined;
afterEach(() => connector?.close());

const file = (name: string, text: string): string => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
};

describe('connector check', () => {
  it('prints what was checked, and ends with 0 for a connector that conforms', async () => {
    connector = await startPlainAuthority();
    const { code, out } = await run(['connector', 'check', connector.url]);
    expect(code).toBe(0);
    expect(out).toMatch(/^passed +authorityProvider +PlainCA +issues the certificate that is requested$/m);
    expect(out).toMatch(/^not offered +authorityProvider +PlainCA +hands out a delta CRL$/m);
    expect(out).toMatch(/^\d+ passed, 0 failed, 2 not offered, 0 not checked\.$/m);
  });

  it('shows of a failure what was sent, what came and what was expected, and ends with 1', async () => {
    connector = await startPlainAuthority(faults['422 as an object']?.filter);
    const { code, out } = await run(['connector', 'check', connector.url]);
    expect(code).toBe(1);
    expect(out).toContain('FAILED authorityProvider PlainCA: refuses what is no certification request');
    expect(out).toMatch(/^ {2}The refusal with 422 must be a list of strings\.$/m);
    expect(out).toMatch(/^ {2}sent +POST \/v2\/authorityProvider\/authorities\/\S+\/certificates\/issue$/m);
    expect(out).toMatch(/^ {2}received +422 \{"message":"Not as required\."\}$/m);
    expect(out).toMatch(/^ {2}expected +422 or 400, in words$/m);
  });

  it('prints the report for programs', async () => {
    connector = await startPlainAuthority();
    const { code, out } = await run(['connector', 'check', connector.url, '--kind', 'PlainCA', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ conforms: true, counts: { failed: 0, notChecked: 0 } });
  });

  it('authenticates with the headers of a file, and shows none of them', async () => {
    const key = 'the-key-of-the-caller';
    const keys = new Set<unknown>();
    connector = await startPlainAuthority((call, answer) => {
      keys.add(call.headers['x-api-key']);
      return call.path === '/v1/health' ? Promise.resolve({ status: 500, body: { message: key } }) : answer(call);
    });
    const auth = file('auth.txt', `X-API-KEY: ${key}\n`);
    const { out } = await run(['connector', 'check', connector.url, '--auth', auth, '--group', 'authorityprovider']);
    expect([...keys]).toEqual([key]);
    expect(out).toContain('•••');
    expect(out).not.toContain(key);
  });

  it('takes values from a file', async () => {
    connector = await startPlainAuthority();
    const attributes = file('values.json', '{"PlainCA": {"data_commonName": "§"}}');
    const { code, out } = await run(['connector', 'check', connector.url, '--attributes', attributes]);
    expect(code).toBe(1);
    expect(out).toContain(
      'The values, as they follow from the definitions, are refused. Give others with --attributes.',
    );
  });

  it.each([
    ['an address that is none', ['ftp://x'], 'must be an http or https URL'],
    ['a function group that does not exist', ['http://x', '--group', 'caProvider'], 'caProvider'],
    ['a file that is not there', ['http://x', '--attributes', '/nowhere.json'], 'cannot be read'],
  ])('refuses %s', async (_what, args, problem) => {
    const { code, err } = await run(['connector', 'check', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(problem);
  });

  it('refuses a file of headers without repeating it', async () => {
    const { code, err } = await run(['connector', 'check', 'http://x', '--auth', file('auth.txt', 'just-the-key')]);
    expect(code).toBe(2);
    expect(err).toContain('NAME: VALUE');
    expect(err).not.toContain('just-the-key');
  });
});
