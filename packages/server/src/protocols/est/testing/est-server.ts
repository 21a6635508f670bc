// For EST tests: the server without listeners, behind a trusted proxy that reports how clients connected.
import type { FastifyInstance } from 'fastify';
import type { ServedEstProfile } from '../../../areas/est-profiles/index.ts';
import { coreContext } from '../../../kernel/actor.ts';
import { createHttpServer } from '../../../platform/http/server.ts';
import { createCredentialChecks } from '../../../areas/enrollments/credential-checks.ts';
import { noRateLimits, type RateLimit } from '../../../platform/limits/rate-limits.ts';
import { createLogger } from '../../../platform/logging/logger.ts';
import { networks } from '../../../platform/net/networks.ts';
import { estHttp } from '../http.ts';
import { createTestEst, type TestEst } from './est-parts.ts';
import { DEVICE_PASSWORD } from './est-requests.ts';

const PROXY = '192.0.2.1';
export const AUTHORIZATION = basic(`device:${DEVICE_PASSWORD}`);

export function basic(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

export interface TestEstServer {
  readonly server: FastifyInstance;
  /** Dependencies of the server in lower layers. */
  readonly est: TestEst;
  /** Profiles by family and name, for example `profile devices`. */
  readonly profiles: Map<string, ServedEstProfile>;
  defaultName: string | undefined;
  /** Rate limit subjects whose credentials were rejected. */
  readonly refusedOf: string[];
  /** Counts a rejection; tests can replace it. */
  take: RateLimit['take'];
  readonly logged: string[];
  ask(path: string, asked?: RequestFacts): Promise<EstResponse>;
}

export interface RequestFacts {
  readonly method?: 'GET' | 'POST';
  readonly body?: string | Uint8Array;
  /** An undefined header is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Source IP address of the connection. */
  readonly from?: string;
}

export interface EstResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export async function createTestEstServer(): Promise<TestEstServer> {
  const server = createHttpServer({ isServedHost: () => true, trustedProxies: [PROXY], onFault: () => undefined });
  const test: TestEstServer = {
    server,
    est: createTestEst(),
    profiles: new Map(),
    defaultName: undefined,
    refusedOf: [],
    take: async (subject) => void test.refusedOf.push(subject),
    logged: [],
    ask: (path, asked = {}) => ask(server, path, asked),
  };
  const failedEnrollments = { ...noRateLimits.failedEnrollments, take: (subject: string) => test.take(subject) };
  const checkCredential = createCredentialChecks({ limits: { ...noRateLimits, failedEnrollments }, pauseMs: 0 });
  // The only method used on the stream.
  const destination = { write: (line: string) => test.logged.push(line) } as unknown as NodeJS.WritableStream;
  const log = createLogger({ level: 'error', destination });
  estHttp({
    ...test.est.parts,
    enrollments: { ...test.est.parts.enrollments, checkCredential },
    profiles: {
      find: async (family, name) => test.profiles.get(`${family} ${name}`),
      forget: () => undefined,
      defaultName: async () => test.defaultName,
    },
    log,
    proxies: { addresses: networks([PROXY]), certificates: new Set(), log },
    actor: async () => coreContext('test').actor,
  })(server);
  await server.ready();
  return test;
}

/** Sends a request as a trusted proxy forwards one that arrived over HTTPS. */
async function ask(server: FastifyInstance, url: string, asked: RequestFacts): Promise<EstResponse> {
  const { method = asked.body === undefined ? 'GET' : 'POST', body, from: remoteAddress = PROXY } = asked;
  const media = body === undefined ? {} : { 'content-type': 'application/pkcs10' };
  const payload = typeof body === 'string' ? body : body && Buffer.from(body);
  const answer = await server.inject({
    method,
    url,
    remoteAddress,
    headers: { 'x-forwarded-proto': 'https', 'user-agent': 'device', ...media, ...asked.headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
}
