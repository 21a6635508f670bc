import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../kernel/clock.ts';
import { createLogger } from '../../../platform/logging/logger.ts';
import { createEgressGate } from '../../../platform/net/egress.ts';
import {
  CANARY,
  expectRejection,
  KEY_AUTHORIZATION,
  LOOPBACK,
  NAME,
  ok,
  SHORT_LIMIT_MS,
  startHttpTarget,
  startTarget,
  startValidation,
  TOKEN,
} from './testing/targets.ts';
import { createChallengeValidator } from './validate-challenge.ts';

/** Collects the log lines that are written. */
function collectLog(): { readonly log: Writable; readonly text: () => string } {
  let text = '';
  const log = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  return { log, text: () => text };
}

describe('challenge validation', () => {
  it('stays within its time limit even if every step is slow (RFC 8555 §10.3)', async () => {
    const { port } = await startTarget(() => undefined);
    const zone = { [NAME]: [{ type: 'A', address: '127.0.0.1' }], [`${NAME} AAAA`]: 'silent' } as const;
    const { validate } = await startValidation({ zone, rules: { http01Port: port }, limitMs: SHORT_LIMIT_MS });
    const started = performance.now();
    expectRejection(await validate(), { type: 'dns', mayChange: true });
    expect(performance.now() - started).toBeLessThan(SHORT_LIMIT_MS * 4);
  });

  it('can be interrupted by its caller, which is not considered a failure of the target (RFC 8555 §8.2)', async () => {
    const stop = new AbortController();
    const { port } = await startTarget(() => stop.abort());
    const { validate } = await startValidation({ rules: { http01Port: port }, signal: stop.signal });
    expectRejection(await validate(), { type: 'serverInternal', mayChange: true, detail: /interrupted/ });
    expectRejection(await validate(), { type: 'serverInternal', mayChange: true, detail: /interrupted/ });
  });

  it('reports internal errors as serverInternal, and logs them (RFC 8555 §6.7)', async () => {
    const { log, text } = collectLog();
    const egress = createEgressGate({
      allowLoopback: true,
      allowedHosts: [],
      onlyHosts: [],
      isOwnListener: () => false,
    });
    const validate = createChallengeValidator({
      egress: {
        ...egress,
        assertAddress: () => {
          throw new Error(CANARY);
        },
      },
      log: createLogger({ level: 'info', destination: log }),
      clock: systemClock,
    });
    const rules = {
      resolver: undefined,
      http01Port: 80,
      tlsAlpn01Port: 443,
      allowLoopback: true,
      caaIdentities: [],
      issuerDomainNames: [],
    };
    const identifier = { type: 'ip', value: '127.0.0.1' } as const;
    const challenge = {
      type: 'http-01',
      identifier,
      token: TOKEN,
      keyAuthorization: KEY_AUTHORIZATION,
      accountUrls: [],
      accountHashPrefixes: [],
      keyThumbprints: [],
    } as const;
    expectRejection(await validate(challenge, rules, new AbortController().signal), {
      type: 'serverInternal',
      mayChange: true,
    });
    expect(text()).toContain(CANARY);
  });

  it('logs the contacted targets, but neither the token nor the content (RFC 8555 §10.4)', async () => {
    const { log, text } = collectLog();
    const target = await startHttpTarget(() => ok(CANARY));
    const { validate } = await startValidation({ rules: { http01Port: target.port }, log });
    await validate();
    expect(JSON.parse(text())).toMatchObject({
      type: 'http-01',
      identifier: { type: 'dns', value: NAME },
      targets: [`127.0.0.1 port ${target.port}`],
      problem: { type: 'incorrectResponse' },
    });
    expect(text()).not.toMatch(new RegExp(`${CANARY}|${TOKEN}`));
  });

  it('uses the system resolver if the profile does not specify one (RFC 8555 §8.3)', async () => {
    const target = await startHttpTarget(() => ok());
    const { validate } = await startValidation({ rules: { http01Port: target.port, resolver: undefined } });
    expect(await validate({ identifier: { type: 'dns', value: 'localhost' } })).toEqual({ ok: true });
  });

  it('runs many attempts concurrently (RFC 8555 §8)', async () => {
    const target = await startHttpTarget(() => ok());
    const { validate } = await startValidation({ zone: LOOPBACK, rules: { http01Port: target.port } });
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => validate()));
    expect(verdicts.filter((verdict) => verdict.ok)).toHaveLength(50);
  });
});
