// Content of a new order, in the form in which it is compared with open orders. No lookups here.
import { createHash } from 'node:crypto';
import type { HostNameRules } from '@signetry/pki';
import { namesOf, readIdentifiers } from '../model/identifiers.ts';
import type { AccountCall } from '../requests/call.ts';
import { readOrderedProfile } from './ordered-profile.ts';
import { readReplaces } from './replacements.ts';
import type { RequestedValidity } from './requested-validity.ts';
import type { NewOrderRow } from './store-new-orders.ts';

/** In canonical form. */
export type OrderSpec = Pick<NewOrderRow, 'identifiers' | 'names' | 'notBefore' | 'notAfter' | 'profile' | 'replaces'>;

export function readOrderSpec(
  request: Readonly<Record<string, unknown>>,
  facts: {
    readonly call: AccountCall;
    readonly requestedValidity: Pick<RequestedValidity, 'read'>;
    readonly now: Date;
    readonly nameRules: HostNameRules;
  },
): OrderSpec {
  const { call, requestedValidity, now, nameRules } = facts;
  const identifiers = readIdentifiers(request['identifiers'], nameRules);
  return {
    identifiers,
    names: namesOf(identifiers),
    ...requestedValidity.read(request, now),
    profile: readOrderedProfile(request['profile'], call.profile),
    replaces: readReplaces(request['replaces']),
  };
}

/**
 * Returns a key that is unique to the account, the profile version and the requested content, so that an order placed
 * under different rules is not reused.
 */
export function reuseKeyOf({ account, profile }: AccountCall, wish: OrderSpec): string {
  const { names, notBefore, notAfter, profile: chosen, replaces } = wish;
  const all = [account.uuid, profile.version, names, notBefore, notAfter, chosen, replaces];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, UUID_DIGITS);
}

const UUID_DIGITS = 32;

/** Time for a client to prove its names; an order that expires sooner is not reused. */
const NEEDED_MS = 3_600_000;

/**
 * Returns the time until which an order must remain valid to be reused. For short order lifetimes, this is after half
 * the lifetime. An order that replaces a certificate is reused as long as it is open, since a second order for the same
 * certificate would be rejected (RFC 9773 §5).
 */
export function neededUntil({ profile }: AccountCall, { replaces }: Pick<OrderSpec, 'replaces'>, now: Date): Date {
  if (replaces !== null) return now;
  return new Date(now.getTime() + Math.min(NEEDED_MS, (profile.validity * 1000) / 2));
}
