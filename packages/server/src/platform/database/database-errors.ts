// PostgreSQL and driver errors, recognized in one place: errors that use cases expect, and errors that mean that the
// database is unavailable. The latter are translated into `DatabaseUnavailable`, which transports return as 503.
import { isObject } from '../../kernel/is-object.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const facts = (error: unknown): { code?: string; constraint?: string; syscall?: string; message?: string } =>
  isObject(error) ? error : {};

/** Returns whether this unique constraint was violated, or any unique constraint if none is specified. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = facts(error);
  return code === UNIQUE_VIOLATION && (constraint === undefined || violated === constraint);
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = facts(error);
  return code === FOREIGN_KEY_VIOLATION && (constraint === undefined || violated === constraint);
}

/** SQLSTATE classes and codes for values that a table cannot store. */
const UNFIT_VALUES = ['22', '23502', '23514', '54'];

/** Returns the reason why the database rejects a row's value, or undefined for errors unrelated to values. */
export function problemOfValue(error: unknown): string | undefined {
  const { code, message } = facts(error);
  const isUnfit = code !== undefined && UNFIT_VALUES.some((prefix) => code.startsWith(prefix));
  return isUnfit ? `the database cannot store one of its values: ${message ?? code}` : undefined;
}

/** Returns a database error's SQLSTATE. */
export const sqlState = (error: unknown): string | undefined => facts(error).code;

export type Outage = 'unreachable' | 'connectionLost' | 'noSpace' | 'overloaded' | 'tooSlow' | 'readOnly' | 'closing';

/**
 * Messages for callers. A statement may have been executed before its connection broke, and a request may have
 * committed earlier statements, so no message claims that nothing has changed.
 */
const REASONS: Readonly<Record<Outage, string>> = {
  unreachable: 'its database cannot be reached',
  connectionLost:
    'the connection to its database was lost, so it is unknown whether a change was made; check before you retry',
  noSpace: 'its database is out of disk space',
  overloaded: 'its database is overloaded',
  tooSlow: 'its database took too long to respond',
  readOnly: 'its database does not accept writes',
  closing: 'it is shutting down',
};

/** Error thrown when the database is unavailable. Contains the SQLSTATE if the server returned one. */
export class DatabaseUnavailable extends Error {
  readonly outage: Outage;
  readonly reason: string;
  readonly code: string | undefined;

  constructor(outage: Outage, cause: unknown) {
    super(`The database is unavailable: ${facts(cause).message ?? outage}`, { cause });
    this.name = 'DatabaseUnavailable';
    this.outage = outage;
    this.reason = REASONS[outage];
    this.code = facts(cause).code;
  }
}

/** Returns the outage behind an error, even if a use case has wrapped it. */
export function findOutage(error: unknown): DatabaseUnavailable | undefined {
  // A cause may refer to itself, so the depth is limited.
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1)
    if (cause instanceof DatabaseUnavailable) return cause;
  return undefined;
}

/** SQLSTATE classes and codes (PostgreSQL, appendix A) that concern the server's state, not the statement. */
const OUTAGE_OF_STATE: readonly (readonly [prefix: string, outage: Outage])[] = [
  ['08', 'connectionLost'],
  ['25006', 'readOnly'], // read_only_sql_transaction: a standby or read-only server
  ['25P03', 'connectionLost'], // idle_in_transaction_session_timeout
  ['25P04', 'connectionLost'], // transaction_timeout
  ['53100', 'noSpace'],
  ['53', 'overloaded'],
  ['57014', 'tooSlow'],
  ['57P03', 'unreachable'], // cannot_connect_now
  ['57P', 'connectionLost'], // admin_shutdown, crash_shutdown, database_dropped
  ['58030', 'noSpace'], // io_error
];

const NETWORK_ERRORS = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOENT', // The embedded server's socket does not exist while the server is not running
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Driver errors without a code. */
const DRIVER_MESSAGES: readonly (readonly [RegExp, Outage])[] = [
  [/^timeout exceeded when trying to connect$/, 'overloaded'], // All connections of the pool are in use
  [/^(?:timeout expired|Connection terminated due to connection timeout)$/, 'unreachable'],
  [/^(?:Connection terminated|Client has encountered a connection error|Client was closed)/, 'connectionLost'],
  [/^Cannot use a pool after calling end on the pool$/, 'closing'],
];

/** Returns the error to report to callers. The phase is `connecting` if no statement has been sent yet. */
export function translateDatabaseError(error: unknown, phase: 'connecting' | 'working'): unknown {
  if (error instanceof DatabaseUnavailable) return error;
  const outage = outageOf(error);
  if (!outage) return error;
  return new DatabaseUnavailable(phase === 'connecting' && outage === 'connectionLost' ? 'unreachable' : outage, error);
}

function outageOf(error: unknown): Outage | undefined {
  const { code, syscall, message = '' } = facts(error);
  if (code !== undefined && syscall !== undefined && NETWORK_ERRORS.has(code))
    return syscall === 'connect' || syscall === 'getaddrinfo' ? 'unreachable' : 'connectionLost';
  if (code !== undefined) return OUTAGE_OF_STATE.find(([prefix]) => code.startsWith(prefix))?.[1];
  return DRIVER_MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
}
