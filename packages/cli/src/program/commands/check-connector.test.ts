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

/**
 * Starts a connector behind a TLS server that requires a client certificate issued by its root. Returns its URL and the
 * files to connect with.
 */
async function startBehindMutualTls() {
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
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, // The server listens on TCP.
    ca: file('root.pem', root),
    pair: ['--cert', file('cert.pem', certificateOf(caller)), '--key', file('key.pem', caller?.keyPem ?? '')],
    otherKey: file('other.pem', other?.keyPem ?? ''),
  };
}

describe('connector check', () => {
  it('prints the checks, and exits with 0 for a conforming connector', async () => {
    connector = await startPlainAuthority();
    const { code, out } = await run(['connector', 'check', connector.url]);
    expect(code).toBe(0);
    expect(out).toMatch(/^passed +authorityProvider +PlainCA +issues the requested certificate$/m);
    expect(out).toMatch(/^not offered +authorityProvider +PlainCA +returns a delta CRL$/m);
    expect(out).toMatch(/^\d+ passed, 0 failed, 2 not offered, 0 not checked\.$/m);
  });

  it('prints the request, response and expectation of a failed check, and exits with 1', async () => {
    connector = await startPlainAuthority(faults['422 as an object']?.filter);
    const { code, out } = await run(['connector', 'check', connector.url]);
    expect(code).toBe(1);
    expect(out).toContain('FAILED authorityProvider PlainCA: rejects a request that is not a CSR');
    expect(out).toMatch(/^ {2}The rejection with 422 must be a list of strings\.$/m);
    expect(out).toMatch(/^ {2}sent +POST \/v2\/authorityProvider\/authorities\/\S+\/certificates\/issue$/m);
    expect(out).toMatch(/^ {2}received +422 \{"message":"Constraint violated\."\}$/m);
    expect(out).toMatch(/^ {2}expected +422 or 400, with an error message$/m);
  });

  it('prints the report as JSON', async () => {
    connector = await startPlainAuthority();
    const { code, out } = await run(['connector', 'check', connector.url, '--kind', 'PlainCA', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ conforms: true, counts: { failed: 0, notChecked: 0 } });
  });

  it('sends authentication headers from a file, and prints none of them', async () => {
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

  describe('against a connector that requires a client certificate', () => {
    it('presents the certificate from the specified files, and is rejected if none is specified', async () => {
      const { url, ca, pair } = await startBehindMutualTls();
      const { code, out } = await run(['connector', 'check', url, '--ca', ca, ...pair]);
      expect(out).toMatch(/^\d+ passed, 0 failed/m);
      expect(code).toBe(0);
      const without = await run(['connector', 'check', url, '--ca', ca]);
      expect(without.code).toBe(1);
      expect(without.out).toContain('No response: ');
    });

    it('rejects a certificate without a key, a key that does not match the certificate, and a URL without TLS', async () => {
      const { url, pair, otherKey } = await startBehindMutualTls();
      const [, cert = ''] = pair;
      for (const [args, problem] of [
        [[url, '--cert', cert], '--cert and --key must be specified together.'],
        [[url, '--cert', cert, '--key', otherKey], 'Cannot use --cert and --key:'],
        [['http://127.0.0.1:1', ...pair], '--ca, --cert and --key require an https URL.'],
      ] as const) {
        const { code, err } = await run(['connector', 'check', ...args]);
        expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
        expect(err).not.toContain('PRIVATE KEY');
      }
    });
  });

  it('reads attribute values from a file', async () => {
    connector = await startPlainAuthority();
    const attributes = file('values.json', '{"PlainCA": {"data_commonName": "§"}}');
    const { code, out } = await run(['connector', 'check', connector.url, '--attributes', attributes]);
    expect(code).toBe(1);
    expect(out).toContain(
      'The connector rejects the values derived from its definitions. Specify different values with --attributes.',
    );
  });

  it.each([
    ['a URL with an unsupported scheme', ['ftp://x'], 'must be an http or https URL'],
    ['an unknown function group', ['http://x', '--group', 'caProvider'], 'caProvider'],
    ['a missing file', ['http://x', '--attributes', '/nowhere.json'], 'cannot read /nowhere.json'],
  ])('rejects %s', async (_what, args, problem) => {
    const { code, err } = await run(['connector', 'check', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(problem);
  });

  it('rejects a malformed header file without quoting it', async () => {
    const { code, err } = await run(['connector', 'check', 'http://x', '--auth', file('auth.txt', 'just-the-key')]);
    expect(code).toBe(2);
    expect(err).toContain('NAME: VALUE');
    expect(err).not.toContain('just-the-key');
  });
});
