import { createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { challengeCertificate } from './testing/certificates.ts';
import {
  CANARY,
  expectRejection,
  LOOPBACK,
  NAME,
  ok,
  redirectTo,
  startHttpTarget,
  startTarget,
  startValidation,
  TOKEN,
} from './testing/targets.ts';

const PATH = `/.well-known/acme-challenge/${TOKEN}`;
const pathOf = (request: string): string => request.split(' ')[1] ?? '';

describe('an http-01 redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'is followed to a different host name for status %i (RFC 8555 §8.3)',
    async (status) => {
      const target = await startHttpTarget((request) =>
        pathOf(request) === '/elsewhere?a=b'
          ? ok()
          : redirectTo(`http://other.test:${target.port}/elsewhere?a=b#c`, status),
      );
      const { validate, dns } = await startValidation({
        zone: { ...LOOPBACK, 'other.test': [{ type: 'A', address: '127.0.0.1' }] },
        rules: { http01Port: target.port },
      });
      expect(await validate()).toEqual({ ok: true });
      expect(target.requests.map((request) => request.split('\r\n')[1])).toEqual([
        `Host: ${NAME}:${target.port}`,
        `Host: other.test:${target.port}`,
      ]);
      expect(dns.questions).toContain('other.test A');
    },
  );

  it('is followed to a relative location on the same host (RFC 9110 §10.2.2)', async () => {
    const target = await startHttpTarget((request) => (pathOf(request) === '/x/token' ? ok() : redirectTo('/x/token')));
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expect(await validate()).toEqual({ ok: true });
  });

  it('is followed to https even without a trusted certificate (RFC 8555 §8.3)', async () => {
    const { cert, key } = await challengeCertificate({ names: ['unrelated.test'] });
    const secure = createServer({ cert, key }, (socket) => {
      socket.once('data', () => socket.end(ok()));
    });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void secure.close());
    const { port } = secure.address() as AddressInfo; // Listens on TCP.
    const target = await startHttpTarget(() => redirectTo(`https://${NAME}:${port}/`));
    const { validate } = await startValidation({ rules: { http01Port: target.port, tlsAlpn01Port: port } });
    expect(await validate()).toEqual({ ok: true });
  });

  it('is reported as failed if its https target does not use TLS (RFC 8555 §8.3)', async () => {
    const plain = await startHttpTarget(() => `HTTP/1.1 400 ${CANARY}\r\n\r\n`);
    const target = await startHttpTarget(() => redirectTo(`https://${NAME}:${plain.port}/`));
    const { validate } = await startValidation({ rules: { http01Port: target.port, tlsAlpn01Port: plain.port } });
    expectRejection(await validate(), { type: 'tls', mayChange: true });
  });

  it('is followed at most ten times in a loop (RFC 8555 §10.3)', async () => {
    const target = await startHttpTarget(() => redirectTo(PATH));
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expectRejection(await validate(), { type: 'connection', mayChange: false, detail: /more than 10 times/ });
    expect(target.requests).toHaveLength(11);
  });

  it.each([
    `https://${CANARY}.test:8443/`,
    `http://${CANARY}.test:22/`,
    `ftp://${CANARY}.test/`,
    `file:///etc/${CANARY}`,
    `gopher://${CANARY}.test/`,
    `http://user:${CANARY}@${NAME}/`,
    `http://${CANARY}_.-test/`,
    `http://[${CANARY}]/`,
    '',
  ])('is not followed to %s (RFC 8555 §10.4)', async (location) => {
    const target = await startHttpTarget(() => redirectTo(location));
    const { validate, dns } = await startValidation({ rules: { http01Port: target.port } });
    const asked =
      location === ''
        ? { detail: /more than 10 times/ }
        : { detail: /^Redirect of www\.example\.test not followed: its location / };
    expectRejection(await validate(), { type: 'connection', mayChange: false, ...asked });
    expect(dns.questions.filter((question) => question.includes(CANARY))).toEqual([]);
  });

  it('is not followed if it has no Location header (RFC 9110 §15.4)', async () => {
    const target = await startHttpTarget(() => 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n');
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expectRejection(await validate(), {
      type: 'connection',
      mayChange: false,
      detail: /its location is missing or is not a valid URL/,
    });
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://2852039166/',
    `http://inside-${CANARY}.test/`,
    'http://[fe80::1]/',
  ])('is not followed to the internal address %s (RFC 8555 §10.4)', async (location) => {
    const target = await startHttpTarget(() => redirectTo(location));
    const { validate } = await startValidation({
      zone: { ...LOOPBACK, [`inside-${CANARY}.test`]: [{ type: 'A', address: '169.254.169.254' }] },
      rules: { http01Port: target.port },
    });
    const verdict = await validate();
    expectRejection(verdict, {
      type: 'connection',
      mayChange: false,
      detail: /to a redirect target of www\.example\.test for validation: its address/,
    });
    expect(JSON.stringify(verdict)).not.toMatch(/169\.254|fe80/);
  });

  it("is not followed to the platform's own listeners (RFC 8555 §10.4)", async () => {
    const own = await startTarget(() => undefined);
    const target = await startHttpTarget(() => redirectTo(`http://127.0.0.1:${own.port}/api/v1/certificates`));
    const { validate } = await startValidation({
      rules: { http01Port: target.port, tlsAlpn01Port: own.port },
      egress: { isOwnListener: (_address, port) => port === own.port },
    });
    expectRejection(await validate(), { type: 'connection', mayChange: false, detail: /listener of this platform/ });
    expect(own.connections).toBe(0);
  });

  it('does not reveal a host name that cannot be resolved (RFC 8555 §8.3)', async () => {
    const target = await startHttpTarget(() => redirectTo(`http://${CANARY}.test/`));
    const { validate } = await startValidation({ rules: { http01Port: target.port } });
    expectRejection(await validate(), {
      type: 'dns',
      mayChange: true,
      detail: /for a redirect target of www\.example\.test/,
    });
  });
});
