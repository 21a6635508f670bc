// Platform services for areas, on a test database: real database, jobs and events, and a clock that tests can set.
import type { Database } from '@signetry/server/database';
import {
  createEgressGate,
  createLogger,
  createMetrics,
  createSealer,
  Events,
  Jobs,
  newSealingKey,
  noRateLimits,
  type Platform,
} from '@signetry/server/services';
import { onTestFinished } from 'vitest';

export interface FakeClock {
  now(): Date;
  monotonicMs(): number;
  /** Advances both clocks. */
  advance(milliseconds: number): void;
}

export function createFakeClock(start: Date = new Date()): FakeClock {
  let offsetMs = 0;
  const startMs = start.getTime();
  const origin = performance.now();
  return {
    now: () => new Date(startMs + performance.now() - origin + offsetMs),
    monotonicMs: () => performance.now() + offsetMs,
    advance: (milliseconds) => {
      offsetMs += milliseconds;
    },
  };
}

/**
 * Returns everything that an area's `create…` function needs. Loopback is reachable, since test servers listen there.
 */
export function testPlatform(database: Database, overrides: Partial<Platform> = {}): Platform {
  const log = createLogger({ level: 'silent' });
  const metrics = createMetrics();
  const jobs = new Jobs({ database, log });
  return {
    database,
    jobs,
    events: new Events({ database, jobs, log }),
    sealer: createSealer([newSealingKey()]),
    clock: createFakeClock(),
    log,
    metrics,
    egress: createEgressGate({ allowLoopback: true, allowedHosts: [], onlyHosts: [], isOwnListener: () => false }),
    limits: noRateLimits,
    nodeId: '00000000-0000-7000-8000-000000000001',
    publicUrl: () => 'http://127.0.0.1:8080',
    revocationUrl: () => 'http://127.0.0.1:8080',
    giveUp: new AbortController().signal,
    faultPoint: () => undefined,
    ...overrides,
  };
}

/** Runs `close` when the current test ends, regardless of its outcome. */
export const closeAfterTest = (close: () => Promise<void> | void): void => onTestFinished(close);
