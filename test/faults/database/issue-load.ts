// Clients that issue certificates continuously and record every response while the database has faults.
import { setTimeout as delay } from 'node:timers/promises';
import { parseCertificate } from '@signetry/pki';
import type { ServerProcess } from '../../load/server-process.ts';
import type { Violation } from '../check-database.ts';
import type { Evidence } from '../evidence.ts';
import { connect, findProfile, newRequest, sha256, type Profile } from '../load.ts';

const CLIENTS = 8;
/** Far above every time limit of the platform: a longer request is considered hung. */
const HANGS_MS = 60_000;
/** Delay after a rejected request. */
const PAUSE_MS = 50;
const POLL_MS = 20;

export interface IssueLoad {
  /** Responses since the last `forget`, by status; `longestMs` is the longest response time. */
  readonly statuses: Map<string, number>;
  longestMs(): number;
  forget(): void;
  /**
   * Milliseconds until a certificate requested from now on is acknowledged, or `undefined` if the limit is exceeded.
   */
  untilIssued(limitMs: number): Promise<number | undefined>;
  end(): Promise<void>;
}

export async function startIssueLoad(server: ServerProcess, evidence: Evidence): Promise<IssueLoad> {
  const profile = await findProfile(connect(server.ready));
  const statuses = new Map<string, number>();
  let longestMs = 0;
  let lastBeganMs = 0;
  const ending = new AbortController();

  async function client(): Promise<void> {
    while (!ending.signal.aborted) {
      const beganMs = performance.now();
      const status = await issue(server, profile, evidence);
      const now = performance.now();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      longestMs = Math.max(longestMs, now - beganMs);
      if (status === '200') lastBeganMs = Math.max(lastBeganMs, beganMs);
      else await delay(PAUSE_MS);
    }
  }

  const clients = Array.from({ length: CLIENTS }, client);
  return {
    statuses,
    longestMs: () => Math.round(longestMs),
    forget() {
      statuses.clear();
      longestMs = 0;
    },
    async untilIssued(limitMs) {
      const began = performance.now();
      while (performance.now() - began < limitMs) {
        if (lastBeganMs > began) return Math.round(performance.now() - began);
        await delay(POLL_MS);
      }
      return undefined;
    },
    async end() {
      ending.abort();
      await Promise.all(clients);
    },
  };
}

/** Returns the response status; `200` only if it contains a certificate. */
async function issue(server: ServerProcess, profile: Profile, evidence: Evidence): Promise<string> {
  const { ready } = server;
  const { authorityUuid, raProfileUuid } = profile;
  const path = `/v2/operations/authorities/${authorityUuid}/raProfiles/${raProfileUuid}/certificates`;
  try {
    const answer = await fetch(ready.api + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ request: await newRequest(), attributes: [] }),
      signal: AbortSignal.timeout(HANGS_MS),
    });
    if (answer.status === 503 && !answer.headers.has('retry-after')) return '503 without Retry-After';
    const body = (await answer.json()) as { uuid: string; certificateData?: string }; // An API response.
    if (answer.status === 500) return `500 (${lastFault(server)})`;
    if (!answer.ok || !body.certificateData) return answer.ok ? 'later' : String(answer.status);
    const der = Buffer.from(body.certificateData, 'base64');
    evidence.issued.push({ uuid: body.uuid, sha256: sha256(der), serialNumber: parseCertificate(der).serialNumber });
    return '200';
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'hung' : 'no response';
  }
}

/** Returns the log message of the last failed request, which the response does not contain. */
function lastFault(server: ServerProcess): string {
  const lines = server.stderr().split('\n');
  const line = lines.findLast((each) => each.includes('"msg":"a request failed"'));
  return /"message":"((?:[^"\\]|\\.)*)"/.exec(line ?? '')?.[1] ?? 'not logged';
}

/** Returns responses that must not occur while the database is unavailable: internal errors and missing responses. */
export function badResponses(load: IssueLoad, during: string): Violation[] {
  const allowed = new Set(['200', 'later', '503']);
  return [...load.statuses]
    .filter(([status]) => !allowed.has(status))
    .map(([status, count]) => ({ invariant: 'service', what: `${during}: ${count} responses ${status}` }));
}

export const readiness = async ({ ready }: ServerProcess): Promise<number> =>
  (await fetch(`${ready.http}/health/ready`, { signal: AbortSignal.timeout(10_000) })).status;

export async function waitForReadiness(server: ServerProcess, wanted: number, limitMs: number): Promise<boolean> {
  const began = performance.now();
  while (performance.now() - began < limitMs) {
    if ((await readiness(server).catch(() => 0)) === wanted) return true;
    await delay(POLL_MS);
  }
  return false;
}
