// A connector that lies, disconnects or sends too much: every response is validated, the certificate is stored with the
// reason, and other callers are not affected.
import { createHash } from 'node:crypto';
import type { Client } from '@signetry/client';
import { sharedTestServer } from '@signetry/testkit/platform';
import { generateKeyPair } from '@signetry/pki/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { historyOf, issue, rejectionOf } from './testing/certificates.ts';
import { createExternalAuthority } from './testing/external-authority.ts';
import {
  HOSTILE_KIND,
  startHostileAuthority,
  type RequestedCertificate,
  type HostileAuthority,
  type IssueResponse,
} from './testing/hostile-authority.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';
import { createKey, createTokenWithProfile, textValue } from './testing/tokens.ts';

const server = sharedTestServer({
  args: ['--issue-wait-ms', '1000', '--egress-allowed-hosts', '127.0.0.1'],
});
const DAY_MS = 86_400_000;
let client: Client;
let hostile: HostileAuthority;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  hostile = await startHostileAuthority();
  const { uuid } = await client.connectors.createConnector({
    body: { name: 'hostile', url: hostile.url, authType: 'none' },
  });
  path = await createAuthority(client, { name: 'Hostile CA', connectorUuid: uuid, kind: HOSTILE_KIND });
});

afterAll(() => hostile.close());

const detail = (uuid: string) => client.certificates.getCertificate({ params: { uuid } });

/** Requests a certificate from the hostile authority and expects a rejection. */
async function attempt(answer: (asked: RequestedCertificate) => IssueResponse | Promise<IssueResponse>, name: string) {
  hostile.onIssue(answer);
  const request = await makeRequest({ subject: `CN=${name}` });
  const refusal = await rejectionOf(issue(client, path, request));
  return { ...refusal, request, kept: await detail(refusal.uuid), history: await historyOf(client, refusal.uuid) };
}

const anotherKey = async ({ subject }: RequestedCertificate): Promise<IssueResponse> => ({
  certificate: hostile.authority.issue({ subject, spki: (await generateKeyPair('P-256')).spki }),
});
const imitation = async (asked: RequestedCertificate): Promise<IssueResponse> => ({
  certificate: (await createExternalAuthority('CN=Hostile CA')).issue(asked),
});
const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');

describe('the hostile connector', () => {
  it('issues as long as it behaves correctly', async () => {
    hostile.onIssue(hostile.issueProperly);
    const { uuid } = await issue(client, path, await makeRequest({ subject: 'CN=proper.example' }));
    expect(await detail(uuid)).toMatchObject({ state: 'issued', issuerCommonName: 'Hostile CA' });
  });
});

describe('a response that does not match the request', () => {
  const wrong: readonly (readonly [
    string,
    (asked: RequestedCertificate) => IssueResponse | Promise<IssueResponse>,
    RegExp,
  ])[] = [
    ['certifies a different key', anotherKey, /certifies a public key other than/],
    [
      'certifies a different subject',
      ({ spki }) => ({ certificate: hostile.authority.issue({ subject: 'CN=admin.example', spki }) }),
      /common name is admin\.example/,
    ],
    [
      'has expired',
      (asked) => ({ certificate: hostile.authority.issue({ ...asked, notAfterMs: Date.now() - DAY_MS / 2 }) }),
      /it expired on/,
    ],
    [
      'is not valid yet',
      (asked) => ({ certificate: hostile.authority.issue({ ...asked, notBeforeMs: Date.now() + DAY_MS / 2 }) }),
      /it is not valid before/,
    ],
    ['is signed by a different CA of the same name', imitation, /it was not signed by the CA that it names/],
    [
      'is not a certificate',
      () => ({ text: JSON.stringify({ certificateData: base64('garbage') }) }),
      /not a certificate/,
    ],
    [
      'is a truncated certificate',
      (asked) => ({
        text: JSON.stringify({ certificateData: base64(hostile.authority.issue(asked).subarray(0, 200)) }),
      }),
      /not a certificate/,
    ],
    ['is empty', () => ({ text: JSON.stringify({ certificateData: '' }) }), /it returned no certificate/],
  ];
  it.each(wrong)(
    'and %s results in 502, and the certificate is stored as failed with the reason',
    async (what, answer, reason) => {
      const { status, message, kept, history } = await attempt(answer, `${what.replaceAll(' ', '-')}.example`);
      expect(status).toBe(502);
      expect(message).toMatch(reason);
      expect(kept.state).toBe('failed');
      expect(history[0]).toMatch(/^Issue Certificate FAILED: /);
      expect(history[0]).toMatch(reason);
    },
  );

  it('and contains an existing certificate results in 502, and the certificate is stored as failed with the reason', async () => {
    let first: Uint8Array = new Uint8Array();
    hostile.onIssue((asked) => {
      first = hostile.authority.issue(asked);
      return { certificate: first };
    });
    const request = await makeRequest({ subject: 'CN=twice.example' });
    const { uuid: original } = await issue(client, path, request);
    hostile.onIssue(() => ({ certificate: first }));
    const refusal = await rejectionOf(issue(client, path, request));
    expect(refusal).toMatchObject({ status: 502, message: expect.stringMatching(/already in the inventory/) });
    expect(await detail(refusal.uuid)).toMatchObject({ state: 'failed' });
    expect((await historyOf(client, refusal.uuid))[0]).toMatch(/^Issue Certificate FAILED: .*already in the inventory/);
    expect(await detail(original)).toMatchObject({ state: 'issued' });
  });

  it('is stored as evidence exactly as it was received', async () => {
    let received: Uint8Array = new Uint8Array();
    const { uuid } = await attempt((asked) => {
      received = hostile.authority.issue({ subject: 'CN=evidence.example', spki: asked.spki });
      return { certificate: received };
    }, 'asked-for.example');
    const [newest] = await client.certificates.getCertificateEventHistory({ params: { uuid } });
    const fingerprint = createHash('sha256').update(received).digest('hex');
    expect(newest?.additionalInformation).toEqual({ receivedFingerprint: { value: fingerprint } });
    expect(await detail(uuid)).toMatchObject({ state: 'failed', fingerprint, certificateContent: base64(received) });
    const download = { params: { uuid, certificateFormat: 'raw' as const }, query: { encoding: 'pem' as const } };
    await expect(client.certificates.downloadCertificate(download)).rejects.toMatchObject({ status: 400 });
  });
});

describe('a connector that reports an error', () => {
  // It may have signed before the error; this cannot be determined.
  it.each([500, 503])('with status %i causes a 502 response, and leaves the certificate undecided', async (status) => {
    const stack = `at Signer.sign (/opt/ca/secret-path.js:${status})`;
    const refusal = await attempt(
      () => ({ status, text: JSON.stringify({ message: stack }) }),
      `fault-${status}.example`,
    );
    expect(refusal.status).toBe(502);
    expect(refusal.message).toContain(`status ${status}`);
    expect(refusal.message).not.toContain('secret-path');
    expect(refusal.kept.state).toBe('pending_issue');
    expect(refusal.history[0]).toContain('The outcome at the authority is not known yet');
  });

  it('leaves a token key in use until the outcome of its certificate is known', async () => {
    const token = await createTokenWithProfile(client);
    const key = await createKey(client, token, { specification: 'P-256', name: 'awaited-key' });
    hostile.onIssue(() => ({ status: 500, text: '{}' }));
    const body = {
      attributes: [],
      keyUuid: key.uuid,
      tokenProfileUuid: token.tokenProfileUuid,
      csrAttributes: [textValue('commonName', 'awaited.example')],
    };
    await rejectionOf(client.clientOperations.issueCertificate({ params: path, body }));
    const params = { uuid: key.uuid };
    const refused = {
      status: 422,
      message: expect.stringContaining('awaited-key is in use: certificates are being issued for it: awaited.example'),
    };
    for (const end of ['destroyKey', 'deleteKey'] as const)
      await expect(client.keys[end]({ params, body: [] })).rejects.toMatchObject(refused);
    expect((await client.keys.getKey({ params })).items.map(({ state }) => state)).toEqual(['active', 'active']);
  });

  it('rejects a request with a list of reasons, which the caller gets with 422', async () => {
    hostile.onIssue(() => ({ status: 422, text: JSON.stringify(['The name is not allowed here.']) }));
    await expect(issue(client, path, await makeRequest({ subject: 'CN=rules.example' }))).rejects.toMatchObject({
      status: 422,
      problems: ['The name is not allowed here.'],
    });
  });
});

describe('an unknown outcome', () => {
  const answers: readonly (readonly [string, number, (asked: RequestedCertificate) => IssueResponse])[] = [
    ['disconnects', 503, () => 'reset'],
    ['sends an endless response', 502, () => 'endless'],
    ['does not respond with JSON', 502, () => ({ text: '<html>Sign in</html>' })],
    ['responds with JSON of a different schema', 502, () => ({ text: '{"certificateData":{"der":42}}' })],
    ['responds with endlessly nested JSON', 502, () => ({ text: '['.repeat(100_000) })],
  ];
  it.each(answers)(
    'leaves the certificate undecided, not failed, if the connector %s',
    async (what, status, answer) => {
      const refusal = await attempt(answer, `${what.replaceAll(' ', '-')}.example`);
      expect(refusal.status).toBe(status);
      expect(refusal.message).not.toContain('<html>');
      expect(refusal.kept.state).toBe('pending_issue');
      expect(refusal.history[0]).toContain('The outcome at the authority is not known yet');
    },
  );

  it('is resolved by an operator who knows that the connector signed nothing', async () => {
    const { kept } = await attempt(() => 'reset', 'never-signed.example');
    const declare = () =>
      client.certificateSettlement.declareCertificateNotIssued({
        params: { uuid: kept.uuid },
        body: { reason: 'the CA has no such request' },
      });
    await declare();
    expect((await detail(kept.uuid)).state).toBe('failed');
    expect((await historyOf(client, kept.uuid))[0]).toBe(
      'Issue Certificate FAILED: Declared as not issued by admin: the CA has no such request',
    );
    await expect(declare()).rejects.toMatchObject({ status: 422 });
  });

  it('is resolved by uploading what the connector signed', async () => {
    const { request, kept } = await attempt(() => 'reset', 'turns-up.example');
    const der = hostile.authority.issue({ subject: 'CN=turns-up.example', spki: request.keys.spki });
    const { uuid } = await client.certificates.uploadCertificate({
      body: { certificate: base64(der), customAttributes: [] },
    });
    expect(uuid).toBe(kept.uuid);
    const settled = await detail(uuid);
    expect(settled.state).toBe('issued');
    expect(settled.certificateContent).toBe(base64(der));
  });
});

describe('a slow connector', () => {
  it('is awaited in the background: the response contains the identifier, and the certificate follows', async () => {
    const gate = Promise.withResolvers<void>();
    hostile.onIssue(async (asked) => {
      await gate.promise;
      return hostile.issueProperly(asked);
    });
    const request = await makeRequest({ subject: 'CN=slow.example' });
    const { uuid, certificateData } = await client.clientOperations.issueCertificate({
      params: path,
      body: { request: request.pem, attributes: [] },
    });
    expect(certificateData ?? '').toBe('');
    expect(['requested', 'pending_issue']).toContain((await detail(uuid)).state);
    gate.resolve();
    await vi.waitFor(async () => expect((await detail(uuid)).state).toBe('issued'), { timeout: 5_000 });
  });
});

describe('all other callers', () => {
  it('are served normally, and every change has its audit record', async () => {
    const started = performance.now();
    await issue(client, await defaultProfile(client), await makeRequest({ subject: 'CN=undisturbed.example' }));
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(await client.auditVerification.verifyAuditLog()).toMatchObject({
      intact: true,
      gapCount: 0,
      brokenLinks: 0,
    });
    const { certificates } = await client.certificates.listCertificates({
      body: {
        itemsPerPage: 1000,
        filters: [
          { fieldSource: 'property', fieldIdentifier: 'CERTIFICATE_STATE', condition: 'EQUALS', value: ['issued'] },
          { fieldSource: 'property', fieldIdentifier: 'ISSUER_COMMON_NAME', condition: 'EQUALS', value: 'Hostile CA' },
        ],
      },
    });
    expect(certificates.map(({ commonName }) => commonName).sort()).toEqual([
      'Hostile CA',
      'proper.example',
      'slow.example',
      'turns-up.example',
      'twice.example',
    ]);
  });
});
