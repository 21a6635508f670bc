import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { openServerLog } from './server-log.ts';
import type { ServerLog } from './server-log.ts';
import { temporaryFolder } from './testing/postgres.ts';

const STAMP = '2026-01-31 12:00:00.000 UTC [77]';

function opened(): { file: string; serverLog: ServerLog; lines: string[] } {
  const file = join(temporaryFolder(), 'server.log');
  writeFileSync(file, `${STAMP} LOG:  of an earlier run\n`);
  const lines: string[] = [];
  const serverLog = openServerLog(file, (level, message) => void lines.push(`${level} ${message}`));
  onTestFinished(() => serverLog[Symbol.dispose]());
  return { file, serverLog, lines };
}

describe('the database server log', () => {
  it('is forwarded incrementally, each line with the level of its message', () => {
    const { file, serverLog, lines } = opened();
    appendFileSync(
      file,
      `${STAMP} LOG:  ready\n${STAMP} PANIC:  could not write\n${STAMP} DETAIL:  why\n\tmore\n${STAMP} WA`,
    );
    serverLog.catchUp();
    appendFileSync(file, `RNING:  careful\n`);
    serverLog.catchUp();
    serverLog.catchUp();
    expect(lines).toEqual([
      'debug postgres: ready',
      'error postgres: PANIC: could not write',
      'error postgres: DETAIL:  why',
      'error postgres: more',
      'warn postgres: WARNING: careful',
    ]);
    expect(serverLog.recentLines()).toHaveLength(5);
    serverLog.forget();
    expect(serverLog.recentLines()).toEqual([]);
  });

  it('contains no warnings about connections that were terminated by a shutdown', () => {
    const { file, serverLog, lines } = opened();
    serverLog.expectDisconnects(true);
    appendFileSync(file, `${STAMP} FATAL:  terminating connection\n`);
    serverLog.catchUp();
    expect(lines).toEqual(['debug postgres: FATAL: terminating connection']);
  });

  it('is rotated to remain small, keeping the previous part, and can still be read afterwards', () => {
    const { file, serverLog, lines } = opened();
    appendFileSync(file, `${STAMP} LOG:  ${'x'.repeat(1000)}\n`.repeat(4200));
    serverLog.catchUp();
    expect(lines).toHaveLength(4200);
    expect(statSync(file).size).toBe(0);
    expect(readFileSync(`${file}.1`, 'utf8')).toContain('of an earlier run');
    appendFileSync(file, `${STAMP} LOG:  after\n`);
    serverLog.catchUp();
    expect(lines.at(-1)).toBe('debug postgres: after');
  });

  it('can be truncated by another process', () => {
    const { file, serverLog, lines } = opened();
    writeFileSync(file, '');
    appendFileSync(file, `${STAMP} LOG:  new\n`);
    serverLog.catchUp();
    expect(lines).toEqual(['debug postgres: new']);
    expect(existsSync(`${file}.1`)).toBe(false);
  });
});
