// Shared code of the validation tests: a validator with real lookups and connections over loopback, and targets that
// respond as the test specifies.
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { DnsServer, DnsServerOptions, DnsZone } from '@signetry/testkit/acme';
import { expect, onTestFinished } from 'vitest';
// Imported by path: the entry point of the test kit loads the whole platform, which takes a second per file.
import { startDnsServer } from '../../../../../../testkit/src/acme/dns-server.ts';
import { systemClock, type Clock } from '../../../../kernel/clock.ts';
import { createLogger } from '../../../../platform/logging/logger.ts';
import { createEgressGate, type EgressPolicy } from '../../../../platform/net/egress.ts';
import { createCaaCheck } from '../check-caa.ts';
import { createDnsLookups } from '../dns-lookups.ts';
import {
  createChallengeValidator,
  type ChallengeToValidate,
  type ValidationRules,
  type ChallengeOutcome,
} from '../validate-challenge.ts';
import type { ProblemType } from '../../model/vocabulary.ts';

export { startDnsServer };

/** Contained in everything that a hostile target sends. No result may include it. */
export const CANARY = 'canary-of-the-target';
export const NAME = 'www.example.test';
export const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA';
export const THUMBPRINT = '9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI';
export const KEY_AUTHORIZATION = `${TOKEN}.${THUMBPRINT}`;
export const ACCOUNT_URL = 'https://acme.example.test/acct/1';
export const ACCOUNT_HASH_PREFIX = 'https://acme.example.test/account-hash/';
/** For attempts that end only by their time limit. */
export const SHORT_LIMIT_MS = 250;

export const LOOPBACK: DnsZone = { [NAME]: [{ type: 'A', address: '127.0.0.1' }] };

export interface ValidationOptions extends DnsServerOptions {
  readonly zone?: DnsZone;
  readonly limitMs?: number;
  readonly egress?: Partial<EgressPolicy>;
  readonly rules?: Partial<ValidationRules>;
  readonly signal?: AbortSignal;
  readonly log?: NodeJS.WritableStream;
  readonly clock?: Clock;
}

export interface Validation {
  readonly dns: DnsServer;
  validate(challenge?: Partial<ChallengeToValidate>): Promise<ChallengeOutcome>;
  checkCaa(challenge?: Partial<ChallengeToValidate>): Promise<unknown>;
}

/** Starts a validator whose rules allow loopback. It stops with the test. */
export async function startValidation(options: ValidationOptions = {}): Promise<Validation> {
  const dns = await startDnsServer({ ...(options.zone ?? LOOPBACK) }, options);
  onTestFinished(() => dns.close());
  const policy: EgressPolicy = { allowLoopback: false, allowedHosts: [], onlyHosts: [], isOwnListener: () => false };
  const limitMs = options.limitMs ?? 10_000;
  const rules: ValidationRules = {
    resolver: dns,
    http01Port: 80,
    tlsAlpn01Port: 443,
    allowLoopback: true,
    caaIdentities: [],
    issuerDomainNames: [],
    ...options.rules,
  };
  const lookups = createDnsLookups({ limitMs });
  const validate = createChallengeValidator({
    egress: createEgressGate({ ...policy, ...options.egress }),
    log: createLogger(options.log ? { level: 'info', destination: options.log } : { level: 'silent' }),
    clock: options.clock ?? systemClock,
    dns: lookups,
    limitMs,
  });
  const checkCaa = createCaaCheck({ dns: lookups, limitMs });
  const signal = options.signal ?? new AbortController().signal;
  return {
    dns,
    validate: (challenge) => validate(challengeOf(challenge), rules, signal),
    checkCaa: (challenge) => {
      const { identifier, type, accountUrls } = challengeOf(challenge);
      return checkCaa(identifier, { challengeType: type, accountUrls }, rules, signal);
    },
  };
}

const challengeOf = (facts: Partial<ChallengeToValidate> = {}): ChallengeToValidate => ({
  type: 'http-01',
  identifier: { type: 'dns', value: NAME },
  token: TOKEN,
  keyAuthorization: KEY_AUTHORIZATION,
  accountUrls: [ACCOUNT_URL],
  accountHashPrefixes: [ACCOUNT_HASH_PREFIX],
  keyThumbprints: [THUMBPRINT],
  ...facts,
});

export interface TcpTarget {
  readonly port: number;
  readonly connections: number;
}

/** Starts a raw TCP target. When the test ends, the validator must have closed every connection to it. */
export async function startTarget(
  serve: (socket: Socket) => void,
  at: { readonly host?: string; readonly port?: number } = {},
): Promise<TcpTarget> {
  const closed: Promise<void>[] = [];
  const server = createServer((socket) => {
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
    socket.on('error', () => socket.destroy());
    serve(socket);
    socket.resume();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port ?? 0, at.host ?? '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.close();
    await Promise.all(closed);
  });
  return {
    port: (server.address() as AddressInfo).port, // Listens on TCP.
    get connections() {
      return closed.length;
    },
  };
}

/** Starts a target that responds to each request with the text returned by `answer`, and closes the connection. */
export async function startHttpTarget(
  answer: (request: string) => string,
  at: { readonly host?: string; readonly port?: number } = {},
): Promise<TcpTarget & { readonly requests: readonly string[] }> {
  const requests: string[] = [];
  const target = await startTarget((socket) => {
    socket.once('data', (bytes) => {
      const request = bytes.toString('latin1');
      requests.push(request);
      socket.end(answer(request), 'latin1');
    });
  }, at);
  return {
    port: target.port,
    requests,
    get connections() {
      return target.connections;
    },
  };
}

export const ok = (body: string = KEY_AUTHORIZATION): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

export const redirectTo = (location: string, status = 302): string =>
  `HTTP/1.1 ${status} Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;

/** Asserts that the rejection is of this kind and contains nothing that the target sent. */
export function expectRejection(
  verdict: ChallengeOutcome,
  expected: { readonly type: ProblemType; readonly mayChange: boolean; readonly detail?: RegExp },
): void {
  expect(verdict).toMatchObject({ ok: false, problem: { type: expected.type }, mayChange: expected.mayChange });
  if (verdict.ok) return;
  expect(verdict.problem.detail).toMatch(expected.detail ?? /\.$/);
  expect(JSON.stringify(verdict)).not.toContain(CANARY);
}
