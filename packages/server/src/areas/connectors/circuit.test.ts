import { connectorBaseOperations } from '@signetry/contract';
import { createFakeClock, type FakeClock } from '@signetry/testkit/services';
import { beforeEach, describe, expect, it } from 'vitest';
import { CallFailure, failureOfStatus } from './call-failure.ts';
import { createCircuits, FAILURES_TO_OPEN, FIRST_PAUSE_MS, type Circuits } from './circuit.ts';
import type { Transport } from './transport.ts';

const CONNECTOR = { uuid: 'c', name: 'Fake' };
const unreachable = (isGivenUp = false) =>
  new CallFailure('unreachable', 'the connection was refused', { outcome: 'notCarriedOut', isGivenUp });

let clock: FakeClock;
let circuits: Circuits;
let events: string[];
let calls: number;
/** Current behavior of the connector. */
let answer: () => Promise<unknown>;

const transport = {
  call: () => {
    calls += 1;
    return answer();
  },
} as unknown as Transport; // responds as the test specifies

beforeEach(() => {
  clock = createFakeClock();
  events = [];
  calls = 0;
  answer = () => Promise.resolve({ status: 'ok' });
  circuits = createCircuits({
    clock,
    chance: () => 0.5,
    onChange: (name, { isOpen }) => void events.push(`${name} ${isOpen ? 'opened' : 'closed'}`),
  });
});

const callOnce = (isLook = false): Promise<string> =>
  circuits
    .guard(transport, { ...CONNECTOR, isLook })
    .call(connectorBaseOperations.checkHealth, {}, {})
    .then(
      () => 'ok',
      (error: unknown) => (error as Error).message,
    );

async function fail(times: number, failure: () => Error = unreachable): Promise<void> {
  answer = () => Promise.reject(failure());
  for (let at = 0; at < times; at += 1) await callOnce();
}

const state = () => circuits.view(CONNECTOR.uuid).state;

describe("a connector's circuit breaker", () => {
  it('opens after consecutive failures, then rejects calls without sending them', async () => {
    await fail(FAILURES_TO_OPEN - 1);
    expect(state()).toBe('closed');
    await fail(1);
    expect(circuits.view(CONNECTOR.uuid)).toMatchObject({ state: 'open', failures: FAILURES_TO_OPEN });
    expect(await callOnce()).toBe('its last 5 calls failed, and it will be retried in 15 s');
    expect(calls).toBe(FAILURES_TO_OPEN);
    expect(events).toEqual(['Fake opened']);
  });

  it.each([500, 502, 503, 504])('opens after responses with status %i', async (status) => {
    await fail(FAILURES_TO_OPEN, () => failureOfStatus(status, undefined));
    expect(state()).toBe('open');
  });

  it.each([400, 401, 403, 404, 409, 422, 429, 501])('never opens after responses with status %i', async (status) => {
    await fail(5 * FAILURES_TO_OPEN, () => failureOfStatus(status, undefined));
    expect(circuits.view(CONNECTOR.uuid)).toEqual({ state: 'closed', failures: 0 });
  });

  it('counts only consecutive failures', async () => {
    await fail(FAILURES_TO_OPEN - 1);
    await fail(1, () => failureOfStatus(422, ['no']));
    await fail(FAILURES_TO_OPEN - 1);
    expect(state()).toBe('closed');
  });

  it("ignores aborted calls and the platform's own rejections", async () => {
    await fail(2 * FAILURES_TO_OPEN, () => unreachable(true));
    await fail(2 * FAILURES_TO_OPEN, () => new CallFailure('forbidden', 'not allowed', { outcome: 'notCarriedOut' }));
    await fail(2 * FAILURES_TO_OPEN, () => new Error('a platform error'));
    expect(circuits.view(CONNECTOR.uuid)).toEqual({ state: 'closed', failures: 0 });
  });

  it('lets one trial call through after the pause and closes if it succeeds', async () => {
    await fail(FAILURES_TO_OPEN);
    clock.advance(FIRST_PAUSE_MS);
    expect(state()).toBe('halfOpen');
    const trial = Promise.withResolvers<unknown>();
    answer = () => trial.promise;
    const trying = callOnce();
    expect(await callOnce()).toContain('a trial call is in progress');
    trial.resolve({ status: 'ok' });
    expect(await trying).toBe('ok');
    expect(circuits.view(CONNECTOR.uuid)).toEqual({ state: 'closed', failures: 0 });
    expect(events).toEqual(['Fake opened', 'Fake closed']);
  });

  it('stays open for twice as long after a failed trial, and emits a single event', async () => {
    await fail(FAILURES_TO_OPEN);
    clock.advance(FIRST_PAUSE_MS);
    await fail(1);
    expect(state()).toBe('open');
    clock.advance(FIRST_PAUSE_MS);
    expect(state()).toBe('open');
    clock.advance(FIRST_PAUSE_MS);
    expect(state()).toBe('halfOpen');
    expect(events).toEqual(['Fake opened']);
  });

  it('lets a second call through if the trial call was aborted', async () => {
    await fail(FAILURES_TO_OPEN);
    clock.advance(FIRST_PAUSE_MS);
    await fail(1, () => unreachable(true));
    answer = () => Promise.resolve({ status: 'ok' });
    expect(await callOnce()).toBe('ok');
  });

  it('never blocks a connector check, and closes after a successful one', async () => {
    await fail(FAILURES_TO_OPEN);
    answer = () => Promise.resolve({ status: 'ok' });
    expect(await callOnce(true)).toBe('ok');
    expect(await callOnce()).toBe('ok');
  });

  it('is removed with the connector', async () => {
    await fail(FAILURES_TO_OPEN);
    circuits.forget(CONNECTOR.uuid);
    expect(state()).toBe('closed');
    expect(events).toEqual(['Fake opened', 'Fake closed']);
  });
});
