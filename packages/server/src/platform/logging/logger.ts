// Structured logs, one JSON object per line (readable text on a terminal). Secrets are never logged: values of type
// Secret mask themselves, and the paths below are always removed.
import { Writable } from 'node:stream';
import pino, { type Logger } from 'pino';
import { findOutage } from '../database/database-errors.ts';
import { isObject } from '../../kernel/is-object.ts';

export type { Logger };

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const HIDDEN = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'pin',
  '*.authorization',
  '*.cookie',
  '*.password',
  '*.secret',
  '*.token',
  '*.pin',
];

export function createLogger(options: { level: LogLevel; destination?: NodeJS.WritableStream }): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: HIDDEN, censor: '[hidden]' },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: errorFacts, cause: errorFacts },
      hooks: {
        logMethod(args, method) {
          if (!isOutageEntry(args[0])) method.apply(this, args);
        },
      },
    },
    options.destination ??
      (process.stderr.isTTY ? terminal(process.stderr) : pino.destination({ dest: 2, sync: true })),
  );
}

/**
 * Returns whether the entry is caused by a database outage, which `database-health.ts` logs once with a count. Slow
 * statements are logged individually.
 */
function isOutageEntry(facts: unknown): boolean {
  if (!isObject(facts)) return false;
  // Both are absent from most entries.
  const { error, cause } = facts as { readonly error?: unknown; readonly cause?: unknown };
  const outage = findOutage(error) ?? findOutage(cause);
  return outage !== undefined && outage.outage !== 'tooSlow';
}

/** Formats lines for a terminal: time, level, message and related facts. */
function terminal(stream: NodeJS.WritableStream): NodeJS.WritableStream {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      stream.write(`${readableLine(chunk.toString())}\n`);
      done();
    },
  });
}

export function readableLine(json: string): string {
  // Pino writes one object per line.
  const { level, time, msg, error, ...facts } = JSON.parse(json) as Record<string, unknown>;
  const details = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const cause = isObject(error) && 'message' in error ? [`(${String(error.message)})`] : [];
  const clock = String(time).slice(11, 19);
  return [clock, String(level).padEnd(5), String(msg ?? ''), ...cause, ...details].join(' ');
}

/** Returns an error with its chain of causes, up to a maximum depth, since a cause can refer to itself. */
function errorFacts(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause !== undefined && depth < 5 ? { cause: errorFacts(error.cause, depth + 1) } : {};
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
