// The software authority behind an unreliable connection during issuance and revocation: every certificate it signed
// ends up in the inventory, and none is signed twice.
import { startConnectorServer, type RunningConnectorServer } from '@signetry/server/connectors';
import type { Client } from '@signetry/client';
import { startFaultProxy, type Fault, type FaultOptions, type FaultProxy } from '@signetry/testkit/fault-proxy';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { issue, rejectionOf } from './testing/certificates.ts';
import { createAuthority, type IssuingPath } from './testing/profiles.ts';
import { temporaryFolder } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1', '--issue-wait-ms', '2000'] });
const data = temporaryFolder();
const ISSUE = '/certificates/issue';
let client: Client;
let connector: RunningConnectorServer;
let proxy: FaultProxy;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  const quiet = { logLevel: 'silent', out: () => undefined } as const;
  connector = await startConnectorServer({ name: 'software-authority', host: '127.0.0.1', port: 0, data, ...quiet });
  proxy = await startFaultProxy(connector.url);
  const { uuid } = await client.connectors.createConnector({
    body: { name: 'behind a proxy', url: proxy.url, authType: 'none' },
  });
  path = await createAuthority(client, { name: 'Remote CA', connectorUuid: uuid });
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await proxy.close();
  await connector.stop();
});

const detail = (uuid: string) => client.certificates.getCertificate({ params: { uuid } });
const waitForState = (uuid: string, state: string) =>
  vi.waitFor(async () => expect((await detail(uuid)).state).toBe(state), { timeout: 30_000, interval: 200 });

/** Certificates signed by the authority, as contained in its responses. */
const signedCertificates = (): readonly string[] =>
  proxy
    .forwardedTo('POST', ISSUE)
    .filter(({ status }) => status < 300)
    .map(({ text }) => (JSON.parse(text) as { certificateData: string }).certificateData);

const responseFault = (status: number, text = '', afterWork = true): Fault => ({
  kind: 'answer',
  afterWork,
  status,
  text,
});
const once: FaultOptions = { times: 1 };

const lost: readonly (readonly [string, Fault, FaultOptions, number])[] = [
  ['the connection breaks before the request arrives', { kind: 'reset', afterWork: false }, once, 503],
  ['the connection breaks after the certificate was signed', { kind: 'reset', afterWork: true }, once, 503],
  ['the response is truncated', { kind: 'cut' }, once, 503],
  ['the status is 500 after the certificate was signed', responseFault(500), once, 502],
  ['the status is 503 twice', responseFault(503, '', false), { times: 2 }, 502],
  ['the response is a web page', responseFault(200, '<html></html>'), once, 502],
  ['the response is truncated JSON', responseFault(200, '{"certificateData":"MII'), once, 502],
  ['the response exceeds the size limit', { kind: 'swell', octets: 17 * 1024 * 1024 }, once, 502],
  ['every second call fails', responseFault(503), { flapping: true, times: 3 }, 502],
];

describe('issuance', () => {
  it.each(lost)('results in one certificate when %s', async (what, fault, options, status) => {
    const before = signedCertificates().length;
    proxy.inject('POST', ISSUE, fault, options);
    const subject = `CN=${what.replaceAll(/[^a-z]+/g, '-')}.example`;
    const refusal = await rejectionOf(issue(client, path, await makeRequest({ subject })));
    expect(refusal.status).toBe(status);
    await waitForState(refusal.uuid, 'issued');
    const made = signedCertificates().slice(before);
    expect(new Set(made).size).toBe(1);
    expect((await detail(refusal.uuid)).certificateContent).toBe(made[0]);
  });

  it('results in one certificate, once the connection breaks, when the response is withheld', async () => {
    const before = signedCertificates().length;
    proxy.inject('POST', ISSUE, { kind: 'silence', afterWork: true }, once);
    const request = await makeRequest({ subject: 'CN=held-back.example' });
    const issuing = issue(client, path, request).catch((error: unknown) => error);
    await vi.waitFor(() => expect(signedCertificates().length).toBe(before + 1), { timeout: 10_000 });
    await issuing;
    proxy.heal();
    await vi.waitFor(
      async () => {
        const { certificates } = await client.certificateSearch.searchCertificates({
          body: {
            filters: [
              { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'EQUALS', value: 'held-back.example' },
            ],
          },
        });
        expect(certificates).toMatchObject([{ state: 'issued' }]);
      },
      { timeout: 30_000, interval: 200 },
    ); // prettier-ignore
    expect(new Set(signedCertificates().slice(before)).size).toBe(1);
  });

  it.each([
    [400, 400],
    [401, 400],
    [404, 404],
  ])('that is answered with %i is rejected with %i, and fails permanently', async (status, expected) => {
    proxy.inject('POST', ISSUE, responseFault(status, '{"message":"canary"}', false));
    const request = await makeRequest({ subject: `CN=refused-${status}.example` });
    const refusal = await rejectionOf(issue(client, path, request));
    expect(refusal.status).toBe(expected);
    expect(refusal.message).toContain('it reported "canary"');
    expect(await detail(refusal.uuid)).toMatchObject({ state: 'failed' });
    expect(proxy.arrivals('POST', ISSUE)).toBeGreaterThan(0);
  });

  it('that is redirected to a forbidden address does not follow the redirect, and can be retried later', async () => {
    proxy.inject('POST', ISSUE, {
      kind: 'answer',
      afterWork: false,
      status: 307,
      headers: { location: 'http://169.254.169.254/latest/meta-data' },
    });
    const refusal = await rejectionOf(issue(client, path, await makeRequest({ subject: 'CN=redirected.example' })));
    expect(refusal.status).toBe(502);
    expect(refusal.message).not.toContain('169.254');
    proxy.heal();
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=not-redirected.example' }));
    expect((await detail(uuid)).state).toBe('issued');
  });
});

describe('revocation', () => {
  it.each([
    ['the connection breaks after the revocation', { kind: 'reset', afterWork: true }, 503],
    ['the status is 500 after the revocation', responseFault(500), 502],
  ] as const)('results in a certificate that is revoked once when %s', async (_what, fault, status) => {
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=victim.example' }));
    proxy.inject('POST', '/certificates/revoke', fault, once);
    const params = { ...path, certificateUuid: uuid };
    await expect(
      client.clientOperations.revokeCertificate({ params, body: { reason: 'superseded', attributes: [] } }),
    ).rejects.toMatchObject({ status });
    await waitForState(uuid, 'revoked');
  });
});
