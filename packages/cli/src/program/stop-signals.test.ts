import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Interruption } from './failures.ts';
import { listenForStop, SAME_STOP_MS } from './stop-signals.ts';

function listen() {
  const source = new EventEmitter();
  const codes: number[] = [];
  const lines: string[] = [];
  let now = 5_000;
  const signal = listenForStop({
    source,
    err: (text) => void lines.push(text),
    exit: (code) => void codes.push(code),
    now: () => now,
  });
  const send = (name: 'SIGINT' | 'SIGTERM', afterMs = 0): void => {
    now += afterMs;
    source.emit(name);
  };
  return { signal, codes, lines, send };
}

describe('signals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('request a stop with %s', (name) => {
    const { signal, codes, send } = listen();
    expect(signal.aborted).toBe(false);
    send(name);
    expect(signal.reason).toBeInstanceOf(Interruption);
    expect(codes).toEqual([]);
  });

  it('count once if Ctrl-C arrives twice within a second', () => {
    const { codes, lines, send } = listen();
    send('SIGINT');
    send('SIGINT', SAME_STOP_MS);
    expect([codes, lines]).toEqual([[], []]);
  });

  it('exit immediately with 130 and a message if Ctrl-C is repeated later', () => {
    const { codes, lines, send } = listen();
    send('SIGINT');
    send('SIGINT', SAME_STOP_MS + 1);
    expect(codes).toEqual([130]);
    expect(lines).toHaveLength(1);
  });

  it('force an exit on Ctrl-C after SIGTERM, but never on a second SIGTERM', () => {
    const { codes, send } = listen();
    send('SIGTERM');
    send('SIGTERM', SAME_STOP_MS * 5);
    expect(codes).toEqual([]);
    send('SIGINT', 1);
    expect(codes).toEqual([130]);
  });
});
