import { describe, expect, it } from 'vitest';
import { createRecentClients } from './recent-clients.ts';

/** Creates a client counter whose clock is set by the test. */
function clients() {
  const time = { ms: 0 };
  return { time, recent: createRecentClients(() => time.ms) };
}

describe('recent clients', () => {
  it('are counted by connection, regardless of the number of requests', () => {
    const { time, recent } = clients();
    const [one, other] = [{}, {}];
    for (const ms of [0, 20, 40, 60]) {
      time.ms = ms;
      recent.note(one);
      recent.note(other);
    }
    expect(recent.count()).toBe(2);
  });

  it('are all counted as long as they remain active', () => {
    const { time, recent } = clients();
    const connections = Array.from({ length: 8 }, () => ({}));
    const counts = Array.from({ length: 40 }, (_, round) => {
      for (const [place, connection] of connections.entries()) {
        time.ms = round * 60 + place;
        recent.note(connection);
      }
      return recent.count();
    });
    expect(Math.min(...counts)).toBe(8);
  });

  it('are forgotten soon after their last request', () => {
    const { time, recent } = clients();
    for (let client = 0; client < 5; client++) recent.note({});
    time.ms = 150;
    expect(recent.count()).toBe(5);
    time.ms = 250;
    expect(recent.count()).toBe(0);
  });

  it('are forgotten when other clients arrive after a pause', () => {
    const { time, recent } = clients();
    for (let client = 0; client < 5; client++) recent.note({});
    time.ms = 10_000;
    recent.note({});
    expect(recent.count()).toBe(1);
  });
});
