import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as requestOverHttp } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ipAddressName, writePem, writePemChain } from '@signetry/pki';
import { faults, startPlainAuthority, type PlainAuthority } from '@signetry/testkit/connectors';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFakeAuthority } from '../testing/fake-authority.ts';
import { run, temporaryFolder } from '../testing/fake-platform.ts';

let connector: PlainAuthority | undefined;
afterEach(() => connector?.close());

const file = (name: string, text: string): string => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
};

/** A connector whose TLS server takes only callers with a certificate of its root; answers the flags for one. */
async function behindMutualTls() {
  const plain = await startPlainAuthority();
  connector = plain;
  const authority = await createFakeAuthority();
  const [own, caller, other] = await Promise.all(
    Array.from({ length: 3 }, () => authority.issueForServer([ipAddressName('127.0.0.1')])),
  );
  const root = writePem('CERTIFICATE', authority.root);
  const certificateOf = (issued: typeof own) => writePemChain(issued ? [issued.certificate] : []);
  const tls = { key: own?.keyPem, cert: certificateOf(own), ca: root, requestCert: true, rejectUnauthorized: true };
  const server = createServer(tls, (request, response) => {
    const { method = '', headers } = request;
    const forwarded = requestOverHttp(new URL(request.url ?? '', plain.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, // listening on TCP
    ca: file('root.pem', root),
    pair: ['--cert', file('cert.pem', certificateOf(caller)), '--key', file('key.pem', caller?.keyPem ?? '')],
    otherKey: file('other.pem', other?.keyPem ?? ''),
  };
}

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

  describe('at a connector that demands a client certificate', () => {
    it('presents that of the files, and is refused without', async () => {
      const { url, ca, pair } = await behindMutualTls();
      const { code, out } = await run(['connector', 'check', url, '--ca', ca, ...pair]);
      expect(out).toMatch(/^\d+ passed, 0 failed/m);
      expect(code).toBe(0);
      const without = await run(['connector', 'check', url, '--ca', ca]);
      expect(without.code).toBe(1);
      expect(without.out).toContain('There was no answer');
    });

    it('refuses one without its key, a key of another, and an address without TLS', async () => {
      const { url, pair, otherKey } = await behindMutualTls();
      const [, cert = ''] = pair;
      for (const [args, problem] of [
        [[url, '--cert', cert], '--cert and --key belong together'],
        [[url, '--cert', cert, '--key', otherKey], '--cert and --key cannot be used'],
        [['http://127.0.0.1:1', ...pair], 'need a URL that begins with https'],
      ] as const) {
        const { code, err } = await run(['connector', 'check', ...args]);
        expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
        expect(err).not.toContain('PRIVATE KEY');
      }
    });
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
