// Rate limits on what writes rows, makes calls or costs signatures. A library does the counting; this file says what is
// counted where, bounds the number of counters, and words the refusal.
// Owns: rate_limit.
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

/** A count per window of some seconds; a window begins with the first event. */
export interface Rate {
  readonly count: number;
  readonly perS: number;
}

export interface RateLimit {
  /** Counts one for the subject; refuses (`too_many_requests`) what is more than the rate allows. */
  take(subject: string): Promise<void>;
  /** Counts one that has happened. */
  note(subject: string): Promise<void>;
  /** Takes one back after a success. */
  giveBack(subject: string): Promise<void>;
  /** Refuses when `take` would, and counts nothing. */
  assertOpen(subject: string): Promise<void>;
}

interface LimitFacts {
  /** As the refusal says it: "Too many …". */
  readonly what: string;
  /**
   * Counted in the database, so that all nodes count together. Not for what happens with every request: a counter is a
   * row that one transaction after the other has to lock, and twice the rate on two nodes does no harm.
   */
  readonly overNodes: boolean;
}

/** Everything that is limited, each by an address or by an account. */
export const limited = {
  failedSignIns: { what: 'refused credentials from your address', overNodes: true },
  failedSignInsOfUser: { what: 'refused sign-ins of this user from your address', overNodes: true },
  failedEnrolments: { what: 'failed secrets and passwords over CMP, SCEP and EST from your address', overNodes: true },
  failedEnrolmentsOfProfile: {
    what: 'failed secrets and passwords for this profile from your address',
    overNodes: true,
  },
  passkeyChallenges: { what: 'sign-ins with a passkey begun from your address', overNodes: false },
  newCredentials: { what: 'new access tokens, sign-in links, invitations and passkeys of one user', overNodes: true },
  refusedChanges: { what: 'refused requests without credentials from your address', overNodes: false },
  connectorRegistrations: { what: 'registrations of connectors from your address', overNodes: true },
  acmeAccounts: { what: 'new ACME accounts from your address', overNodes: true },
  acmeOrders: { what: 'ACME orders without a certificate, from your account or address', overNodes: false },
  acmeFailedValidations: { what: 'failed validations of this identifier by your account', overNodes: false },
} as const satisfies Readonly<Record<string, LimitFacts>>;

export type LimitName = keyof typeof limited;
export type RateLimits = Readonly<Record<LimitName, RateLimit>>;

export interface RateLimitsOptions {
  readonly database: Pick<Database, 'relaxed'>;
  readonly sealer: Pick<Sealer, 'derive'>;
  /** Undefined: not limited. */
  readonly rates: Readonly<Record<LimitName, Rate | undefined>>;
}

export function createRateLimits({ database, sealer, rates }: RateLimitsOptions): RateLimits {
  const [key] = sealer.derive('rate limits');
  if (!key) throw new Error('There is no sealing key to derive another from.');
  const limitOf = (name: LimitName): RateLimit => {
    const rate = rates[name];
    if (!rate) return unlimited;
    return createRateLimit(counterOf(name, { database, rate }), { what: limited[name].what, key, rate });
  };
  // keys of the table
  return Object.fromEntries(Object.keys(limited).map((name) => [name, limitOf(name as LimitName)])) as RateLimits;
}

/** Where a setting turns a limit off. */
const unlimited: RateLimit = {
  take: async () => undefined,
  note: async () => undefined,
  giveBack: async () => undefined,
  assertOpen: async () => undefined,
};

/** No limits at all; for tests of something else. */
// keys of the table
export const noRateLimits = Object.fromEntries(Object.keys(limited).map((name) => [name, unlimited])) as RateLimits;

function counterOf(name: LimitName, { database, rate }: { database: RateLimitsOptions['database']; rate: Rate }) {
  const facts = { keyPrefix: name, points: rate.count, duration: rate.perS };
  const counter = new RateLimiterMemory(facts);
  if (!limited[name].overNodes) return counter;
  return new RateLimiterPostgres({
    ...facts,
    storeClient: { query: (statement: Statement) => counted(database, statement) },
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    // A subject over its rate costs no statement until the window ends.
    inMemoryBlockOnConsumed: rate.count + 1,
    // Without the database this node counts by itself.
    insuranceLimiter: counter,
  });
}

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Counters may be lost with the machine: nobody waits for their commits. */
async function counted({ relaxed }: RateLimitsOptions['database'], statement: Statement) {
  const rows = await runHot<unknown>(relaxed, statement, statement.values);
  return { rows, rowCount: rows.length };
}

function createRateLimit(
  counter: RateLimiterAbstract,
  { what, key, rate }: { readonly what: string; readonly key: Uint8Array; readonly rate: Rate },
): RateLimit {
  const refused = ({ msBeforeNext }: RateLimiterRes): AppError =>
    new AppError('too_many_requests', { what, retryAfterS: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
  return {
    async take(subject) {
      try {
        await counter.consume(counterKey(key, subject));
      } catch (over) {
        throw over instanceof RateLimiterRes ? refused(over) : over;
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
      if (standing && standing.consumedPoints >= rate.count) throw refused(standing);
    },
  };
}

/**
 * One of 65,536 counters, so that many addresses fill neither memory nor table. Which subjects share one, nobody can
 * tell who does not have the key, and so nobody can use up the rate of a chosen other.
 */
const counterKey = (key: Uint8Array, subject: string): string =>
  createHmac('sha256', key).update(subject).digest().subarray(0, 2).toString('hex');
