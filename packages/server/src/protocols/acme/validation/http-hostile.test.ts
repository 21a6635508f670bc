import { describe, expect, it } from 'vitest';
import {
  CANARY,
  expectRejection,
  LOOPBACK,
  NAME,
  ok,
  SHORT_LIMIT_MS,
  startHttpTarget,
  startTarget,
  startValidation,
} from './testing/targets.ts';

describe('http-01 with a hostile target', () => {
  it('stops waiting for a target that accepts the connection but sends nothing (RFC 8555 §10.3)', async () => {
    const target = await startTarget(() => undefined);
    const { validate } = await startValidation({ rules: { http01Port: target.port }, limitMs: SHORT_LIMIT_MS });
    expectRejection(await validate(), { type: 'connection', mayChange: true, detail: /in time/ });
  });

  it('stops waiting for a target that sends one byte at a time (RFC 8555 §10.3)', async () => {
    const target = await startTarget((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      const drip = setInterval(() => socket.write('.'), 5);
      socket.once('close', () => clearInterval(drip));
    });
    const { validate } = await startValidation({ rules: { http01Port: target.port }, limitMs: SHORT_LIMIT_MS });
    expectRejection(await validate(), { type: 'connection', mayChange: true, detail: /in time/ });
  });

  it.each([
    ['body', 'HTTP/1.1 200 OK\r\n\r\n', 'key authorization'],
    ['announced body', 'HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n', 'key authorization'],
    ['chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n', 'key authorization'],
    ['status line', 'HTTP/1.1 200 ', 'did not return a valid HTTP/1.1 response'],
    ['header field', 'HTTP/1.1 200 OK\r\nX: ', 'did not return a valid HTTP/1.1 response'],
    ['chunk size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', 'did not return a valid HTTP/1.1 response'],
    ['error page', 'HTTP/1.1 403 No\r\n\r\n', 'status 403'],
  ])('stops reading an endless %s (RFC 8555 §10.3)', async (_what, head, detail) => {
    let written = 0;
    const target = await startTarget((socket) => {
      const flood = (): void => {
        do written += 65_536;
        while (socket.writable && socket.write('0'.repeat(65_536)));
      };
      socket.on('drain', flood);
      socket.write(head);
      flood();
    });
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expectRejection(await validate(), { type: 'incorrectResponse', mayChange: false, detail: new RegExp(detail) });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it('stops reading endless header fields (RFC 8555 §10.3)', async () => {
    const target = await startHttpTarget(() => `HTTP/1.1 200 OK\r\n${`X-${CANARY}: x\r\n`.repeat(2000)}\r\n`);
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expectRejection(await validate(), {
      type: 'incorrectResponse',
      mayChange: false,
      detail: /did not return a valid HTTP\/1\.1 response/,
    });
  });

  it.each(['169.254.169.254', '169.254.7.7', '0.0.0.0', '224.0.0.1', '255.255.255.255'])(
    'never connects to %s (RFC 8555 §10.4)',
    async (address) => {
      const { validate } = await startValidation({ zone: { [NAME]: [{ type: 'A', address }] } });
      const verdict = await validate();
      expectRejection(verdict, {
        type: 'connection',
        mayChange: false,
        detail: /its address class is \w+; allow it in the setting egressAllowedHosts/,
      });
      expect(JSON.stringify(verdict)).not.toContain(address);
      expectRejection(await validate({ identifier: { type: 'ip', value: address } }), {
        type: 'connection',
        mayChange: false,
      });
    },
  );

  it('connects to loopback addresses only if the profile permits it (RFC 8555 §10.4)', async () => {
    const target = await startHttpTarget(() => ok());
    const { validate } = await startValidation({ rules: { http01Port: target.port, allowLoopback: false } });
    expectRejection(await validate(), {
      type: 'connection',
      mayChange: false,
      detail: /loopback; allow it in the ACME profile/,
    });
    expect(target.connections).toBe(0);
  });

  it("never connects to the platform's own listeners (RFC 8555 §10.4)", async () => {
    const own = await startTarget(() => undefined);
    const { validate } = await startValidation({
      rules: { http01Port: own.port },
      egress: { isOwnListener: (_address, port) => port === own.port },
    });
    expectRejection(await validate(), { type: 'connection', mayChange: false, detail: /listener of this platform/ });
    expect(own.connections).toBe(0);
  });

  it('connects only to the hosts listed in the settings (RFC 8555 §10.4)', async () => {
    const { validate } = await startValidation({ egress: { onlyHosts: ['other.example.test'] } });
    expectRejection(await validate(), { type: 'connection', mayChange: false, detail: /egressOnlyHosts/ });
  });

  it('looks up a name only once, so a changed DNS response has no effect (RFC 8555 §10.4)', async () => {
    const target = await startHttpTarget(() => ok());
    const { validate, dns } = await startValidation({ rules: { http01Port: target.port }, zone: LOOPBACK });
    expect(await validate()).toEqual({ ok: true });
    expect(dns.questions.toSorted()).toEqual([`${NAME} A`, `${NAME} AAAA`]);
  });
});
