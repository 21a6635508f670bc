// Errors of PostgreSQL and its driver, recognised in one place: those that use cases expect, and those that mean that
// the database cannot work now. The latter are translated into `DatabaseUnavailable`, and transports answer them with
// 503.
import { isObject } from '../../kernel/is-object.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const facts = (error: unknown): { code?: string; constraint?: string; syscall?: string; message?: string } =>
  isObject(error) ? error : {};

/** Was it this unique constraint (or any, when none is named)? */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = facts(error);
  return code === UNIQUE_VIOLATION && (constraint === undefined || violated === constraint);
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = facts(error);
  return code === FOREIGN_KEY_VIOLATION && (constraint === undefined || violated === constraint);
}

/** SQLSTATE classes and codes of values that a table cannot hold. */
const UNFIT_VALUES = ['22', '23502', '23514', '54'];

/** Why the database rejects a value of a row; undefined for errors that are not about what is written. */
export function problemOfValue(error: unknown): string | undefined {
  const { code, message } = facts(error);
  const isUnfit = code !== undefined && UNFIT_VALUES.some((prefix) => code.startsWith(prefix));
  return isUnfit ? `the database cannot store one of its values: ${message ?? code}` : undefined;
}

/** The SQLSTATE of an error of the database. */
export const sqlState = (error: unknown): string | undefined => facts(error).code;

export type Outage = 'unreachable' | 'connectionLost' | 'noSpace' | 'overloaded' | 'tooSlow' | 'readOnly' | 'closing';

/**
 * What callers read. A statement whose connection broke may have been carried out, and a request may have committed
 * earlier statements: so none of the texts says that nothing was changed.
 */
const REASONS: Readonly<Record<Outage, string>> = {
  unreachable: 'its database cannot be reached',
  connectionLost:
    'the connection to its database broke, so it is not known whether a change was made; check before you repeat it',
  noSpace: 'its database cannot write, because it has no space left',
  overloaded: 'its database is overloaded',
  tooSlow: 'its database took too long',
  readOnly: 'its database accepts no changes now',
  closing: 'it is stopping',
};

/** The database cannot work now. Repeats the SQLSTATE, where the server said one. */
export class DatabaseUnavailable extends Error {
  readonly outage: Outage;
  readonly reason: string;
  readonly code: string | undefined;

  constructor(outage: Outage, cause: unknown) {
    super(`The database is not available: ${facts(cause).message ?? outage}`, { cause });
    this.name = 'DatabaseUnavailable';
    this.outage = outage;
    this.reason = REASONS[outage];
    this.code = facts(cause).code;
  }
}

/** The outage behind an error, also when a use case has wrapped it. */
export function findOutage(error: unknown): DatabaseUnavailable | undefined {
  // A cause may refer to itself, so the chain is followed to a depth.
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1)
    if (cause instanceof DatabaseUnavailable) return cause;
  return undefined;
}

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) that are about the server's state and not about the statement.
 */
const OUTAGE_OF_STATE: readonly (readonly [prefix: string, outage: Outage])[] = [
  ['08', 'connectionLost'],
  ['25006', 'readOnly'], // read_only_sql_transaction: a standby, or one that was made read-only
  ['25P03', 'connectionLost'], // idle_in_transaction_session_timeout
  ['25P04', 'connectionLost'], // transaction_timeout
  ['53100', 'noSpace'],
  ['53', 'overloaded'],
  ['57014', 'tooSlow'],
  ['57P03', 'unreachable'], // cannot_connect_now
  ['57P', 'connectionLost'], // shut down, crashed, dropped
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
  'ENOENT', // the socket of the embedded server, while it is away
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The driver has no codes for these. */
const DRIVER_MESSAGES: readonly (readonly [RegExp, Outage])[] = [
  [/^timeout exceeded when trying to connect$/, 'overloaded'], // all connections of the pool are busy
  [/^(?:timeout expired|Connection terminated due to connection timeout)$/, 'unreachable'],
  [/^(?:Connection terminated|Client has encountered a connection error|Client was closed)/, 'connectionLost'],
  [/^Cannot use a pool after calling end on the pool$/, 'closing'],
];

/** The error that callers see. `connecting`: no statement was sent yet. */
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
