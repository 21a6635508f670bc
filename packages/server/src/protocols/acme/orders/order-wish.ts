// What a new order asks for, as it is compared with what is open. Nothing is looked up here.
import { createHash } from 'node:crypto';
import { namesOf, readIdentifiers } from '../model/identifiers.ts';
import type { AccountCall } from '../requests/call.ts';
import { readOrderedProfile } from './ordered-profile.ts';
import { readReplaces } from './replacements.ts';
import type { RequestedValidity } from './requested-validity.ts';
import type { NewOrderRow } from './store-new-orders.ts';

/** In canonical form. */
export type OrderWish = Pick<NewOrderRow, 'identifiers' | 'names' | 'notBefore' | 'notAfter' | 'profile' | 'replaces'>;

export function readWish(
  request: Readonly<Record<string, unknown>>,
  facts: {
    readonly call: AccountCall;
    readonly requestedValidity: Pick<RequestedValidity, 'read'>;
    readonly now: Date;
  },
): OrderWish {
  const { call, requestedValidity, now } = facts;
  const identifiers = readIdentifiers(request['identifiers']);
  return {
    identifiers,
    names: namesOf(identifiers),
    ...requestedValidity.read(request, now),
    profile: readOrderedProfile(request['profile'], call.profile),
    replaces: readReplaces(request['replaces']),
  };
}

/**
 * One for each account, version of its profile and wish: an order that was placed under other rules is none to go on
 * with.
 */
export function reuseKeyOf({ account, profile }: AccountCall, wish: OrderWish): string {
  const { names, notBefore, notAfter, profile: chosen, replaces } = wish;
  const all = [account.uuid, profile.version, names, notBefore, notAfter, chosen, replaces];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, UUID_DIGITS);
}

const UUID_DIGITS = 32;

/** Time for a client to prove its names; an order that expires earlier is not answered again. */
const NEEDED_MS = 3_600_000;

/**
 * Half of a life that is short. An order that replaces a certificate is answered as long as it is open: another one for
 * the same certificate would be refused (RFC 9773 §5).
 */
export function neededUntil({ profile }: AccountCall, { replaces }: Pick<OrderWish, 'replaces'>, now: Date): Date {
  if (replaces !== null) return now;
  return new Date(now.getTime() + Math.min(NEEDED_MS, (profile.validity * 1000) / 2));
}
