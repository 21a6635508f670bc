import type { DnsZone } from '@signetry/testkit/acme';
import { describe, expect, it } from 'vitest';
import {
  CANARY,
  expectRejection,
  KEY_AUTHORIZATION,
  NAME,
  ok,
  startHttpTarget,
  startTarget,
  startValidation,
  TOKEN,
} from './testing/targets.ts';

const PATH = `/.well-known/acme-challenge/${TOKEN}`;

describe('http-01', () => {
  it('requests the key authorization at the well-known path of the name (RFC 8555 §8.3)', async () => {
    const target = await startHttpTarget(() => ok());
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expect(await validate()).toEqual({ ok: true });
    const [request = ''] = target.requests;
    expect(request.split('\r\n')).toEqual([
      `GET ${PATH} HTTP/1.1`,
      `Host: ${NAME}:${target.port}`,
      'User-Agent: signetry-acme',
      'Accept: */*',
      'Connection: close',
      '',
      '',
    ]);
  });

  it('validates IPv4 and IPv6 addresses without a lookup (RFC 8738 §5)', async () => {
    const four = await startHttpTarget(() => ok());
    const six = await startHttpTarget(() => ok(), { host: '::1' });
    const validation = await startValidation({ rules: { http01Port: four.port } });
    expect(await validation.validate({ identifier: { type: 'ip', value: '127.0.0.1' } })).toEqual({ ok: true });
    expect(four.requests[0]).toContain(`Host: 127.0.0.1:${four.port}\r\n`);
    const other = await startValidation({ rules: { http01Port: six.port } });
    expect(await other.validate({ identifier: { type: 'ip', value: '::1' } })).toEqual({ ok: true });
    expect(six.requests[0]).toContain(`Host: [::1]:${six.port}\r\n`);
    expect([...validation.dns.questions, ...other.dns.questions]).toEqual([]);
  });

  it.each([
    ['a body that ends with the connection', `HTTP/1.0 200 OK\r\n\r\n${KEY_AUTHORIZATION}`],
    ['a chunked body', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n57\r\n${KEY_AUTHORIZATION}\r\n0\r\n\r\n`],
    ['white space after the key authorization', ok(`${KEY_AUTHORIZATION} \r\n\t\n`)],
    [
      'lines without CR, as sent by shell scripts',
      `HTTP/1.0 200 OK\nContent-Type: text/plain\n\n${KEY_AUTHORIZATION}\n`,
    ],
    ['a preceding interim response', `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ok()}`],
  ])('accepts %s (RFC 8555 §8.3, RFC 9112 §6.3)', async (_what, answer) => {
    const target = await startHttpTarget(() => answer);
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expect(await validate()).toEqual({ ok: true });
  });

  it.each([
    ['different content', ok(CANARY)],
    ['the key authorization after a space', ok(` ${KEY_AUTHORIZATION}`)],
    ['the key authorization of a different account', ok(`${TOKEN}.${CANARY}`)],
    ['an empty body', ok('')],
    ['the key authorization before 1 KiB of spaces', ok(KEY_AUTHORIZATION + ' '.repeat(1024))],
    ['a body shorter than the key authorization', ok(KEY_AUTHORIZATION.slice(0, -1))],
  ])('rejects %s as incorrectResponse (RFC 8555 §8.3)', async (_what, answer) => {
    const target = await startHttpTarget(() => answer);
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expectRejection(await validate(), { type: 'incorrectResponse', mayChange: false, detail: /key authorization/ });
  });

  it.each([
    [404, true],
    [500, true],
    [503, true],
    [403, false],
    [201, false],
    [304, false],
  ])('rejects status %i as incorrectResponse and reports it (RFC 8555 §8.3)', async (status, mayChange) => {
    const target = await startHttpTarget(() => `HTTP/1.1 ${status} ${CANARY}\r\nX: ${CANARY}\r\n\r\n${CANARY}`);
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expectRejection(await validate(), { type: 'incorrectResponse', mayChange, detail: new RegExp(`status ${status}`) });
  });

  it.each([
    ['a different protocol', `SSH-2.0-${CANARY}\r\n`],
    ['TLS', '\x15\x03\x01\x00\x02\x02\x46'],
    ['HTTP/2', `HTTP/2 200\r\n\r\n${KEY_AUTHORIZATION}`],
    ['an HTML page without a status line', `<html>${CANARY}</html>`],
    ['a header field without a name', `HTTP/1.1 200 OK\r\n: ${CANARY}\r\n\r\n`],
    ['two content lengths', `HTTP/1.1 200 OK\r\nContent-Length: 87\r\nContent-Length: 5\r\n\r\n${KEY_AUTHORIZATION}`],
    [
      'a content length in a chunked response',
      `HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a switch to a different protocol', `HTTP/1.1 101 Switching\r\nUpgrade: ${CANARY}\r\n\r\n`],
  ])('rejects %s (RFC 9112 §2.1)', async (_what, answer) => {
    const target = await startHttpTarget(() => answer);
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expectRejection(await validate(), {
      type: 'incorrectResponse',
      mayChange: false,
      detail: /did not return a valid HTTP\/1\.1 response/,
    });
  });

  it.each([
    ['before the status line', ''],
    ['in the header fields', `HTTP/1.1 200 OK\r\nX: ${CANARY}`],
    ['in the body', `HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${KEY_AUTHORIZATION}`],
    ['in a chunk', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n80\r\n${KEY_AUTHORIZATION}`],
  ])('reports a response that was truncated %s (RFC 8555 §8.3)', async (_what, answer) => {
    const target = await startHttpTarget(() => answer);
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expectRejection(await validate(), {
      type: 'connection',
      mayChange: true,
      detail: /the connection was closed before the response was complete/,
    });
  });

  it('reports if no server is listening (RFC 8555 §8.3)', async () => {
    const { port } = await startTarget(() => undefined); // Listens on 127.0.0.1, not on ::1.
    const { validate } = await startValidation({ rules: { http01Port: port }, zone: { [NAME]: [IPV6] } });
    expectRejection(await validate(), { type: 'connection', mayChange: true, detail: /the connection was refused/ });
  });

  it('prefers IPv6 (RFC 8555 §8.3)', async () => {
    const { six, four, validate } = await bothFamilies({ [NAME]: [IPV4, IPV6] });
    expect(await validate()).toEqual({ ok: true });
    expect([six.connections, four.connections]).toEqual([1, 0]);
  });

  it('tries the next IP address only if an address does not accept the connection (RFC 8555 §8.3)', async () => {
    const four = await startHttpTarget(() => ok());
    const zone = { [NAME]: [IPV4, IPV6] };
    const fallback = await startValidation({ rules: { http01Port: four.port }, zone });
    expect(await fallback.validate()).toEqual({ ok: true });
    const wrong = await bothFamilies(zone, () => ok(CANARY));
    expectRejection(await wrong.validate(), { type: 'incorrectResponse', mayChange: false });
    expect(wrong.four.connections).toBe(0);
  });

  it('skips IP addresses that the egress gate rejects (RFC 8555 §10.4)', async () => {
    const four = await startHttpTarget(() => ok());
    const refused = ['::', 'ff02::1', 'fe80::1'].map((address) => ({ type: 'AAAA' as const, address }));
    const { validate } = await startValidation({
      rules: { http01Port: four.port },
      zone: { [NAME]: [...refused, IPV4] },
    });
    expect(await validate()).toEqual({ ok: true });
  });

  it('tries at most four IP addresses (RFC 8555 §10.3)', async () => {
    const checked: string[] = [];
    const { validate } = await startValidation({
      zone: { [NAME]: Array.from({ length: 20 }, (_, index) => ({ type: 'A', address: `127.0.0.${index + 1}` })) },
      egress: { isOwnListener: (address) => checked.push(address) > 0 },
    });
    expectRejection(await validate(), { type: 'connection', mayChange: false });
    expect(checked).toHaveLength(4);
  });
});

const IPV4 = { type: 'A', address: '127.0.0.1' } as const;
const IPV6 = { type: 'AAAA', address: '::1' } as const;

/** Starts two targets on the same port; the IPv4 target returns the correct response. */
async function bothFamilies(zone: DnsZone, ipv6Response: () => string = () => ok()) {
  for (;;) {
    const four = await startHttpTarget(() => ok());
    const six = await startHttpTarget(ipv6Response, { host: '::1', port: four.port }).catch(() => undefined);
    // The port may be in use for IPv6; retry with a different one.
    if (six) return { four, six, ...(await startValidation({ rules: { http01Port: four.port }, zone })) };
  }
}
