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
/** What the connector does now. */
let answer: () => Promise<unknown>;

const transport = {
  call: () => {
    calls += 1;
    return answer();
  },
} as unknown as Transport; // answers whatever a test says

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

describe('the circuit of a connector', () => {
  it('opens after some failures in a row, and then refuses without a call', async () => {
    await fail(FAILURES_TO_OPEN - 1);
    expect(state()).toBe('closed');
    await fail(1);
    expect(circuits.view(CONNECTOR.uuid)).toMatchObject({ state: 'open', failures: FAILURES_TO_OPEN });
    expect(await callOnce()).toBe('its last 5 calls failed, and it is tried again in 15 s');
    expect(calls).toBe(FAILURES_TO_OPEN);
    expect(events).toEqual(['Fake opened']);
  });

  it.each([500, 502, 503, 504])('opens after answers with status %i', async (status) => {
    await fail(FAILURES_TO_OPEN, () => failureOfStatus(status, undefined));
    expect(state()).toBe('open');
  });

  it.each([400, 401, 403, 404, 409, 422, 429, 501])('never opens after answers with status %i', async (status) => {
    await fail(5 * FAILURES_TO_OPEN, () => failureOfStatus(status, undefined));
    expect(circuits.view(CONNECTOR.uuid)).toEqual({ state: 'closed', failures: 0 });
  });

  it('counts failures in a row only', async () => {
    await fail(FAILURES_TO_OPEN - 1);
    await fail(1, () => failureOfStatus(422, ['no']));
    await fail(FAILURES_TO_OPEN - 1);
    expect(state()).toBe('closed');
  });

  it('does not judge by calls that were given up, nor by refusals of our own', async () => {
    await fail(2 * FAILURES_TO_OPEN, () => unreachable(true));
    await fail(2 * FAILURES_TO_OPEN, () => new CallFailure('forbidden', 'not allowed', { outcome: 'notCarriedOut' }));
    await fail(2 * FAILURES_TO_OPEN, () => new Error('a fault of ours'));
    expect(circuits.view(CONNECTOR.uuid)).toEqual({ state: 'closed', failures: 0 });
  });

  it('lets one call through after the pause: its success closes it', async () => {
    await fail(FAILURES_TO_OPEN);
    clock.advance(FIRST_PAUSE_MS);
    expect(state()).toBe('halfOpen');
    const trial = Promise.withResolvers<unknown>();
    answer = () => trial.promise;
    const trying = callOnce();
    expect(await callOnce()).toContain('it is being tried');
    trial.resolve({ status: 'ok' });
    expect(await trying).toBe('ok');
    expect(circuits.view(CONNECTOR.uuid)).toEqual({ state: 'closed', failures: 0 });
    expect(events).toEqual(['Fake opened', 'Fake closed']);
  });

  it('stays open after a failed trial, for twice as long, and tells of it once', async () => {
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

  it('lets another call through when the one that tried it was given up', async () => {
    await fail(FAILURES_TO_OPEN);
    clock.advance(FIRST_PAUSE_MS);
    await fail(1, () => unreachable(true));
    answer = () => Promise.resolve({ status: 'ok' });
    expect(await callOnce()).toBe('ok');
  });

  it('is closed by a look that succeeds, and never keeps one from being made', async () => {
    await fail(FAILURES_TO_OPEN);
    answer = () => Promise.resolve({ status: 'ok' });
    expect(await callOnce(true)).toBe('ok');
    expect(await callOnce()).toBe('ok');
  });

  it('is forgotten with the connector', async () => {
    await fail(FAILURES_TO_OPEN);
    circuits.forget(CONNECTOR.uuid);
    expect(state()).toBe('closed');
    expect(events).toEqual(['Fake opened', 'Fake closed']);
  });
});
