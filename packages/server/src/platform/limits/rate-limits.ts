// Rate limits for operations that write rows, call other systems or compute signatures. Counting is left to a library;
// this file defines what is counted where, bounds the number of counters, and creates the error. Owns: rate_limit.
import { createHmac } from 'node:crypto';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { AppError } from '../../kernel/errors.ts';
import type { Sealer } from '../crypto/sealing.ts';
import { runHot, type Database } from '../database/database.ts';

/** Maximum number of events per window; a window starts with the first event. */
export interface Rate {
  readonly count: number;
  readonly perS: number;
}

export interface RateLimit {
  /** Counts one event for the subject; throws `too_many_requests` if it exceeds the rate. */
  take(subject: string): Promise<void>;
  /** Counts an event that has already happened. */
  note(subject: string): Promise<void>;
  /** Reverts one count after a success. */
  giveBack(subject: string): Promise<void>;
  /** Throws if `take` would throw, but counts nothing. */
  assertOpen(subject: string): Promise<void>;
}

interface LimitFacts {
  /** Noun phrase used in the error message: "Too many …". */
  readonly what: string;
  /**
   * Whether events are counted in the database, across all nodes. Must be false for events that occur with every
   * request: each transaction would have to lock the counter's row in turn, and allowing twice the rate on two nodes
   * does no harm.
   */
  readonly overNodes: boolean;
}

/** All rate limits, each per IP address or per account. */
export const limited = {
  failedSignIns: { what: 'rejected credentials from your IP address', overNodes: true },
  failedSignInsOfUser: { what: 'failed sign-ins of this user from your IP address', overNodes: true },
  failedEnrollments: {
    what: 'invalid secrets and passwords over CMP, SCEP and EST from your IP address',
    overNodes: true,
  },
  failedEnrollmentsOfProfile: {
    what: 'invalid secrets and passwords for this profile from your IP address',
    overNodes: true,
  },
  passkeyChallenges: { what: 'passkey sign-ins started from your IP address', overNodes: false },
  newCredentials: { what: 'new access tokens, sign-in links, invitations and passkeys for one user', overNodes: true },
  refusedChanges: { what: 'rejected requests without credentials from your IP address', overNodes: false },
  connectorRegistrations: { what: 'connector registrations from your IP address', overNodes: true },
  acmeAccounts: { what: 'new ACME accounts from your IP address', overNodes: true },
  acmeOrders: { what: 'ACME orders without a certificate from your account or IP address', overNodes: false },
  acmeFailedValidations: { what: 'failed validations of this identifier by your account', overNodes: false },
} as const satisfies Readonly<Record<string, LimitFacts>>;

export type LimitName = keyof typeof limited;
export type RateLimits = Readonly<Record<LimitName, RateLimit>>;

export interface RateLimitsOptions {
  readonly database: Pick<Database, 'relaxed'>;
  readonly sealer: Pick<Sealer, 'derive'>;
  /** Undefined if there is no limit. */
  readonly rates: Readonly<Record<LimitName, Rate | undefined>>;
}

export function createRateLimits({ database, sealer, rates }: RateLimitsOptions): RateLimits {
  const [key] = sealer.derive('rate limits');
  if (!key) throw new Error('There is no sealing key from which to derive the counter key.');
  const limitOf = (name: LimitName): RateLimit => {
    const rate = rates[name];
    if (!rate) return unlimited;
    return createRateLimit(counterOf(name, { database, rate }), { what: limited[name].what, key, rate });
  };
  // The keys are those of `limited`.
  return Object.fromEntries(Object.keys(limited).map((name) => [name, limitOf(name as LimitName)])) as RateLimits;
}

/** Used if a limit is turned off in the settings. */
const unlimited: RateLimit = {
  take: async () => undefined,
  note: async () => undefined,
  giveBack: async () => undefined,
  assertOpen: async () => undefined,
};

/** No limits, for tests of other behavior. */
// The keys are those of `limited`.
export const noRateLimits = Object.fromEntries(Object.keys(limited).map((name) => [name, unlimited])) as RateLimits;

function counterOf(name: LimitName, { database, rate }: { database: RateLimitsOptions['database']; rate: Rate }) {
  const facts = { keyPrefix: name, points: rate.count, duration: rate.perS };
  const counter = new RateLimiterMemory(facts);
  if (!limited[name].overNodes) return counter;
  return new RateLimiterPostgres({
    ...facts,
    storeClient: { query: (statement: Statement) => runStatement(database, statement) },
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    // A subject over its limit causes no further statements until the window ends.
    inMemoryBlockOnConsumed: rate.count + 1,
    // If the database is unavailable, this node counts on its own.
    insuranceLimiter: counter,
  });
}

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs a statement without waiting for its commit, so counters can be lost in a crash. */
async function runStatement({ relaxed }: RateLimitsOptions['database'], statement: Statement) {
  const rows = await runHot<unknown>(relaxed, statement, statement.values);
  return { rows, rowCount: rows.length };
}

function createRateLimit(
  counter: RateLimiterAbstract,
  { what, key, rate }: { readonly what: string; readonly key: Uint8Array; readonly rate: Rate },
): RateLimit {
  const limitRejection = ({ msBeforeNext }: RateLimiterRes): AppError =>
    new AppError('too_many_requests', { what, retryAfterS: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
  return {
    async take(subject) {
      try {
        await counter.consume(counterKey(key, subject));
      } catch (over) {
        throw over instanceof RateLimiterRes ? limitRejection(over) : over;
      }
    },
    async note(subject) {
      await counter.penalty(counterKey(key, subject));
    },
    async giveBack(subject) {
      await counter.reward(counterKey(key, subject));
    },
    async assertOpen(subject) {
      const standing = await counter.get(counterKey(key, subject));
      if (standing && standing.consumedPoints >= rate.count) throw limitRejection(standing);
    },
  };
}

/**
 * Maps a subject to one of 65,536 counters, so that many addresses cannot fill memory or the table. Without the key, a
 * client cannot tell which subjects share a counter, so it cannot use up a chosen victim's rate.
 */
const counterKey = (key: Uint8Array, subject: string): string =>
  createHmac('sha256', key).update(subject).digest().subarray(0, 2).toString('hex');
