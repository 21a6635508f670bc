import { describe, expect, it } from 'vitest';
import type { Finding } from './finding.ts';
import { ResultWindow } from './result-window.ts';

const nothing: Finding = { outcome: 'refused', certificates: [] };
const certificate = (octets: number): Finding => ({
  outcome: 'served',
  certificates: [
    {
      fingerprint: 'ab',
      der: new Uint8Array(octets),
      sighting: { endpoint: 'a:1', address: '10.0.0.1', protocol: 'TLSv1.3', position: 0 },
    },
  ],
});

describe('results', () => {
  it('are taken in the order of their numbers, up to the first that is missing', () => {
    const window = new ResultWindow(5);
    for (const number of [7, 5, 9, 6]) window.add(number, nothing);
    expect(window.take()).toEqual({ findings: [nothing, nothing, nothing], next: 8 });
    expect(window.take()).toEqual({ findings: [], next: 8 });
    window.add(8, nothing);
    expect(window.take()).toMatchObject({ next: 10 });
  });

  it('stop the scan where one is missing for long, and let it go on when it is there', async () => {
    const window = new ResultWindow(0);
    expect(window.room(19_999)).toBeUndefined();
    const waiting = window.room(20_000);
    expect(waiting).toBeDefined();
    window.add(0, nothing);
    window.take();
    await waiting;
  });

  it('stop the scan where they take too much memory, but never the one that all wait for', async () => {
    const window = new ResultWindow(0);
    for (let number = 1; number <= 100; number += 1) window.add(number, certificate(200_000));
    const waiting = window.room(101);
    expect(waiting).toBeDefined();
    expect(window.room(0)).toBeUndefined();
    window.add(0, nothing);
    expect(window.take().findings).toHaveLength(101);
    await waiting;
  });
});
