import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../kernel/secret.ts';
import { createLogger, readableLine } from './logger.ts';

function capture() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { lines, log: createLogger({ level: 'debug', destination }) };
}

describe('the logger', () => {
  it('writes neither secrets nor the values of fields with names that indicate secrets', () => {
    const { lines, log } = capture();
    log.info({ value: new Secret('canary-1'), password: 'canary-2', request: { authorization: 'canary-3' } }, 'x');
    expect(lines.join('')).not.toMatch(/canary/);
  });

  it('writes an error with its cause chain', () => {
    const { lines, log } = capture();
    log.error({ error: new Error('outer', { cause: new Error('inner') }) }, 'failed');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      error: { message: 'outer', cause: { message: 'inner' } },
    });
  });

  it('has a human-readable format for terminals', () => {
    const { lines, log } = capture();
    log.warn({ error: new Error('no route'), attempt: 2 }, 'trying again');
    expect(readableLine(lines[0] ?? '')).toMatch(/^\d\d:\d\d:\d\d warn  trying again \(no route\) attempt=2$/);
  });
});
