// Malformed and hostile input: every rejection is fast, names the problem, reveals no internals and changes nothing.
import { generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Client } from '@signetry/client';
import { platformOperations } from '@signetry/contract';
import { buildName } from '@signetry/pki';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { issue } from './testing/certificates.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { send, sendBytes, type RawResponse, type RawRequest } from './testing/raw-request.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
let client: Client;
let path: IssuingPath;
/** Path of the issue operation, and the administrator's authorization header. */
let issuePath: string;
let authorization: string;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const call = (target: string, request: RawRequest = {}): Promise<RawResponse> =>
  send(server.ready.http, target, { ...request, headers: { authorization, ...request.headers } });
const post = (target: string, body: unknown, headers: Record<string, string> = {}): Promise<RawResponse> =>
  call(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });

interface Rejection {
  readonly code: string;
  readonly message: string;
}

/** Expects a rejection with this status in the API error format; returns its message. */
function messageOf(answer: RawResponse, status: number): string {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/(problem\+)?json/);
  const { code, message } = JSON.parse(answer.text) as Rejection; // Checked below.
  expect(code).toMatch(/^[A-Z_]+$/);
  expect(message).not.toMatch(/node_modules|\.ts:|at .+ \(|undefined|\[object/);
  return message;
}

/**
 * Row counts of every table that a request could have changed. Excludes the audit log and rate limit counters, which
 * grow with rejections, and statistics, which a job aggregates.
 */
async function countAll(): Promise<Record<string, number>> {
  const { database } = server.running.platform;
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'audit%' AND table_name <> 'rate_limit'
       AND table_name !~ '_(count|delta|expiry_day|expiry_hour)$' ORDER BY 1`,
  );
  const counts = tables.map(async ({ name }) => {
    const [row] = await database.query<{ rows: string }>(`SELECT count(*) AS rows FROM "${name}"`);
    return [name, Number(row?.rows)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** Waits until all pending events have been processed. */
async function waitUntilProcessed(): Promise<void> {
  const { database } = server.running.platform;
  const countPending = async () => {
    const [row] = await database.query<{ left: string }>(
      `SELECT (SELECT count(*) FROM event_outbox)
         + (SELECT count(*) FROM event_follower WHERE position < (SELECT position FROM event_log_head)) AS left`,
    );
    return Number(row?.left);
  };
  await vi.waitFor(async () => expect(await countPending()).toBe(0), { timeout: 20_000, interval: 50 });
}

let before: Record<string, number>;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  issuePath = `/api/v2/operations/authorities/${path.authorityUuid}/raProfiles/${path.raProfileUuid}/certificates`;
  authorization = `Bearer ${server.ready.token}`;
  await issue(client, path, await makeRequest({ subject: 'CN=before.example' }));
  await waitUntilProcessed();
  before = await countAll();
});

afterAll(async () => {
  expect(Object.keys(before).length).toBeGreaterThan(15);
  expect(await countAll(), 'rejected requests change nothing').toEqual(before);
  await issue(client, path, await makeRequest({ subject: 'CN=after.example' }));
});

describe('U+0000 in a path', () => {
  const withParameter = Object.values(platformOperations).filter((operation) => operation.path.includes('{'));

  it.each(['%00', 'a%00b'])('matches nothing in any operation: %s', async (value) => {
    const before = await countAll();
    const answers: string[] = [];
    for (const operation of withParameter) {
      const target = `/api${operation.path}`.replaceAll(/\{\w+\}/g, value);
      const answer = await call(target, { method: operation.method });
      if (answer.status !== 404) answers.push(`${operation.id} ${answer.status} ${answer.text}`);
      else messageOf(answer, 404);
    }
    expect(withParameter.length).toBeGreaterThan(100);
    expect(answers).toEqual([]);
    expect(await countAll()).toEqual(before);
  });
});

describe('a request for a name with invisible characters', () => {
  it.each(['\r\n', '\t', '\0', '\u0085', '\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'])(
    'is rejected, and the error names the character: %j',
    async (hidden) => {
      const subject = buildName([{ type: 'CN', value: `pay${hidden}pal.example` }]);
      const { pem } = await makeRequest({ subject });
      const answer = await post(issuePath, { request: pem, attributes: [] });
      const message = answer.text;
      expect(answer.status, message).toBeGreaterThanOrEqual(400);
      expect(answer.status, message).toBeLessThan(500);
      const code = (hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      expect(message).toContain(`U+${code}`);
    },
  );
});

describe('a request body', () => {
  const notJson = /^Cannot parse the request: the body is not valid JSON\.$/;
  it.each([
    ['that is truncated', '{"request":"', notJson],
    ['that is not JSON', 'request=MII', notJson],
    ['with a trailing comma', '{"request":"x",}', notJson],
    ['that is empty', '', /^Cannot parse the request: the body is missing\.$/],
    ['with content after the value', '{} {}', notJson],
  ])('%s is rejected with 400', async (_what, body, message) => {
    expect(messageOf(await post(issuePath, body), 400)).toMatch(message);
  });

  it.each([
    ['a number instead of text', { request: 5, attributes: [] }, /request/],
    ['text instead of a list', { request: 'x', attributes: 'none' }, /attributes/],
    ['a list instead of an object', [], /body|object/],
    ['an unknown enumeration value', { request: 'x', attributes: [], format: 'pkcs12' }, /format/],
    ['a missing member', { attributes: [] }, /request: required unless/],
    ['a member that is null', { request: null, attributes: [] }, /request: required unless/],
    ['an incomplete item', { request: 'x', attributes: [{ name: 'data_x' }] }, /attributes\.0\.uuid: is missing/],
  ])('with %s is rejected with 400, and the error names the member', async (_what, body, named) => {
    expect(messageOf(await post(issuePath, body), 400)).toMatch(named);
  });

  it('that exceeds the size limit is rejected with 413 before it is read', async () => {
    const answer = await post('/api/v1/groups', JSON.stringify({ name: 'x'.repeat(1024 * 1024) }));
    expect(messageOf(answer, 413)).toMatch(/larger than 1048576 bytes/);
  });

  it('for a file operation can be larger, up to a separate limit', async () => {
    const upload = (bytes: number) =>
      post('/api/v1/certificates/upload', { certificate: 'A'.repeat(bytes), customAttributes: [] });
    messageOf(await upload(2 * 1024 * 1024), 400);
    expect(messageOf(await upload(16 * 1024 * 1024), 413)).toMatch(/larger than 16777216 bytes/);
  });

  it('that is too deeply nested is rejected with 400', async () => {
    expect(messageOf(await post(issuePath, '['.repeat(65) + ']'.repeat(65)), 400)).toMatch(
      /nested more than 64 levels deep/,
    );
    expect(messageOf(await post(issuePath, '{"a":'.repeat(100_000)), 400)).toMatch(/nested more than 64 levels deep/);
  });

  it('that is compressed or of a different media type is rejected with 415', async () => {
    const packed = gzipSync(JSON.stringify({ name: 'packed' }));
    messageOf(await post('/api/v1/groups', packed, { 'content-encoding': 'gzip' }), 415);
    messageOf(await post('/api/v1/groups', '<group/>', { 'content-type': 'application/xml' }), 415);
  });

  it('with U+0000 in a string is rejected with 400', async () => {
    expect(messageOf(await post('/api/v1/groups', '{"name":"a\\u0000b"}'), 400)).toMatch(/U\+0000/);
  });

  it('with an unpaired surrogate is rejected with 400', async () => {
    expect(messageOf(await post('/api/v1/groups', '{"name":"a\\ud83d"}'), 400)).toMatch(/surrogate/);
  });

  it.each([
    ['group', '/api/v1/groups', 'name', {}],
    ['connector', '/api/v1/connectors', 'name', { url: 'http://connector.example', authType: 'none' }],
    ['authority', '/api/v1/authorities', 'name', { connectorUuid: NOBODY, kind: 'x', attributes: [] }],
    ['RA profile', `/api/v1/authorities/${NOBODY}/raProfiles`, 'name', { attributes: [] }],
    ['role', '/api/v1/roles', 'name', {}],
    ['user', '/api/v1/users', 'username', {}],
  ])('with a name too long for any index is rejected: %s', async (_what, target, member, rest) => {
    // The database compresses repetitive text before it reaches an index.
    const name = Array.from({ length: 3_000 }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)));
    const answer = await post(target, { [member]: name.join(''), ...rest });
    // Business rule validation where the operation documents it.
    expect([400, 422]).toContain(answer.status);
    expect(answer.text).toContain(`${member}: must not be longer than 255 characters`);
  });

  it('with a malformed identifier is rejected', async () => {
    const body = { url: 'http://connector.example', uuid: 'none', authType: 'none' };
    const answer = await call('/api/v1/connectors/connect', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('uuid: invalid')]);
  });

  it('cannot modify the object prototype or set members that are not part of the request', async () => {
    const body = '{"name":" ","__proto__":{"name":"inherited"},"constructor":{"prototype":{"name":"x"}},"uuid":"x"}';
    expect(messageOf(await post('/api/v1/groups', body), 400)).toMatch(/name/);
    expect(({} as { name?: string }).name).toBeUndefined();
  });
});

describe('a CSR', () => {
  const rejectionOf = async (request: string): Promise<string> =>
    messageOf(await post(issuePath, { request, attributes: [] }), 400);

  it.each([
    ['garbage', 'garbage'],
    ['Base64 of garbage', Buffer.from('garbage').toString('base64')],
    ['an empty string', ''],
    ['PEM without content', '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----\n'],
    ['repeatedly nested Base64', Buffer.from('-----BEGIN'.repeat(1000)).toString('base64')],
  ])('that is %s is rejected with 400, and the error names the member', async (_what, request) => {
    expect(await rejectionOf(request)).toMatch(/request/);
  });

  it('that is truncated or has any byte changed is rejected, and never causes a server error', async () => {
    const { der } = await makeRequest({ subject: 'CN=mutated.example', dnsNames: ['mutated.example'] });
    for (let at = 0; at < der.length; at += 7) {
      const changed = Buffer.from(der);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      expect(await rejectionOf(changed.toString('base64'))).toMatch(/request/);
      expect(await rejectionOf(Buffer.from(der.subarray(0, at)).toString('base64'))).toMatch(/request/);
    }
  });

  it('that was signed with a different key is rejected', async () => {
    const [one, other] = [
      await makeRequest({ subject: 'CN=one.example', keySpec: 'Ed25519' }),
      await makeRequest({ subject: 'CN=one.example', keySpec: 'Ed25519' }),
    ];
    const swapped = Buffer.concat([one.der.subarray(0, -64), other.der.subarray(-64)]);
    expect(await rejectionOf(swapped.toString('base64'))).toMatch(/proof of possession/);
  });

  it('for a 1024-bit RSA key is rejected', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const { pem } = await makeRequest({ subject: 'CN=weak.example', keys: { privateKey, spki } });
    expect(await rejectionOf(pem)).toMatch(/1024/);
  });
});

describe('an uploaded certificate', () => {
  it.each([
    ['garbage', 'garbage'],
    ['an empty string', ''],
    ['a certification request', async () => Buffer.from((await makeRequest({ subject: 'CN=x' })).pem)],
    ['100,000 empty PEM blocks', () => Buffer.from('-----BEGIN CERTIFICATE-----\n'.repeat(100_000))],
    ['endlessly nested DER', () => Buffer.alloc(100_000, 0x30)],
  ])('that is %s is rejected with 400, using little CPU time', async (_what, content) => {
    const bytes = typeof content === 'function' ? (await content()).toString('base64') : content;
    const before = process.cpuUsage();
    messageOf(await post('/api/v1/certificates/upload', { certificate: bytes, customAttributes: [] }), 400);
    // Measures CPU time; elapsed time depends on other load on the machine.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});

describe('a path', () => {
  it('that does not exist returns 404', async () => {
    for (const target of [
      '/api/v1/nothing',
      '/api/v3/groups',
      '/nothing',
      '/api',
      '/api/v1/groups/x/y',
      '/%2e%2e/etc/passwd',
    ])
      messageOf(await call(target), 404);
  });

  it('rejects unsupported methods with 405 and lists the supported ones', async () => {
    const answer = await call('/api/v1/groups', { method: 'PATCH' });
    messageOf(answer, 405);
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['DELETE', 'GET', 'POST']);
  });

  it('returns 400 for a malformed UUID and 404 for an unknown one', async () => {
    expect(messageOf(await call('/api/v1/certificates/not-a-uuid'), 400)).toMatch(/uuid/);
    expect(messageOf(await call(`/api/v1/certificates/${'a'.repeat(2_000)}`), 400)).toMatch(/longer/);
    expect(messageOf(await call(`/api/v1/certificates/${NOBODY}`), 404)).toMatch(NOBODY);
  });

  it('with malformed percent-encoding is rejected, and does not cause a server error', async () => {
    for (const id of ['%E0%A4%A', '%', '%2F', '..%2f..']) messageOf(await call(`/api/v1/certificates/${id}`), 400);
  });

  it('with doubled slashes works, since some clients send it', async () => {
    for (const target of ['//api/v1/groups', '/api//v1/groups', '///api///v1/groups'])
      expect((await call(target)).status, target).toBe(200);
  });
});

describe('the URL of an ACME profile that does not exist', () => {
  it.each(['%0A', '%0D%0ASet-Cookie:%20a=b', '%E4%B8%80', 'a%3E;rel=%22x', '%7F', 'a%20b'])(
    "is answered in the protocol's format, regardless of the name in the URL (%s)",
    async (name) => {
      for (const family of ['', 'raProfile/']) {
        const answer = await call(`/api/v1/protocols/acme/${family}${name}/directory`);
        expect(answer.status, answer.text).toBe(400);
        expect(answer.headers).toMatchObject({
          'content-type': expect.stringMatching(/^application\/problem\+json/),
          'replay-nonce': expect.stringMatching(/^[\w-]{20,}$/),
          'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
          link: `<${server.ready.http}/api/v1/protocols/acme/${family}${encodeURIComponent(decodeURIComponent(name))}/directory>;rel="index"`,
        });
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    },
  );
});

describe("U+0000 in an ACME profile's URL", () => {
  it("matches nothing, and the error is in the protocol's format", async () => {
    const answer = await call('/api/v1/protocols/acme/%00/directory');
    expect(answer.status, answer.text).toBe(404);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  });
});

describe('a page', () => {
  it.each([
    ['itemsPerPage', 1001],
    ['itemsPerPage', 0],
    ['itemsPerPage', -1],
    ['itemsPerPage', 1.5],
    ['itemsPerPage', 2 ** 40],
    ['pageNumber', 0],
    ['pageNumber', 'one'],
  ])('with %s %s is rejected with 400, and the error names the member', async (member, value) => {
    expect(messageOf(await post('/api/v1/certificates', { [member]: value }), 400)).toContain(member);
  });

  it('far beyond the end is empty', async () => {
    const answer = await post('/api/v1/certificates', { itemsPerPage: 1000, pageNumber: 2 ** 31 - 1 });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ certificates: [] });
  });

  it.each([
    [
      'a pattern with catastrophic backtracking',
      { fieldIdentifier: 'COMMON_NAME', condition: 'MATCHES', value: '(a+)+$'.repeat(20) },
    ],
    ['an incorrect pattern', { fieldIdentifier: 'COMMON_NAME', condition: 'MATCHES', value: '([' }],
    [
      'SQL instead of a field',
      { fieldIdentifier: "COMMON_NAME'; DROP TABLE certificate; --", condition: 'EQUALS', value: 'x' },
    ],
    [
      'a condition that the field does not support',
      { fieldIdentifier: 'COMMON_NAME', condition: 'IN_NEXT', value: 'P1D' },
    ],
    ['a value of a different type', { fieldIdentifier: 'NOT_AFTER', condition: 'GREATER', value: 'tomorrow' }],
  ])('filtered by %s is returned within a second, and does not cause a server error', async (_what, filter) => {
    const started = performance.now();
    const answer = await post('/api/v1/certificates', { filters: [{ fieldSource: 'property', ...filter }] });
    expect([200, 400, 422]).toContain(answer.status);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('a caller', () => {
  it('without credentials gets 401 and the supported authentication scheme', async () => {
    const answer = await send(server.ready.http, '/api/v1/groups');
    messageOf(answer, 401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
  });

  it.each([
    ['garbage', 'Bearer nonsense'],
    ['an empty token', 'Bearer '],
    ['a password', 'Basic YWRtaW46YWRtaW4='],
    ['4,000 characters', `Bearer ${'x'.repeat(4_000)}`],
    ['an unsigned JSON Web Token', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.'],
  ])('with %s as its credentials gets 401', async (_what, credential) => {
    messageOf(await send(server.ready.http, '/api/v1/groups', { headers: { authorization: credential } }), 401);
  });

  it('that specifies an unknown host gets 421', async () => {
    expect(messageOf(await call('/api/v1/groups', { headers: { host: 'evil.example' } }), 421)).toMatch(/--public-url/);
    expect((await call('/api/v1/groups', { headers: { host: 'localhost:1' } })).status).toBe(200);
  });

  it('whose headers exceed the size limit gets 431', async () => {
    const answer = await call('/api/v1/groups', { headers: { 'x-large': 'x'.repeat(70_000) } });
    expect(answer.status).toBe(431);
  });

  it('that sends two content lengths, or both a content length and chunked encoding, gets 400 and no second response', async () => {
    const head = `POST /api/v1/groups HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n`;
    const smuggled = 'GET /api/v1/users HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (const lengths of [
      'Content-Length: 2\r\nContent-Length: 3',
      'Content-Length: 2\r\nTransfer-Encoding: chunked',
    ]) {
      const answer = await sendBytes(server.ready.http, `${head}${lengths}\r\n\r\n{}${smuggled}`);
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    }
  });
});
