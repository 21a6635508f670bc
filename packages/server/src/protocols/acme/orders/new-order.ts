// New orders (RFC 8555 §7.4): identifiers in canonical form, one authorization each, and the validity that is asked for.
// The open order that was placed for the same is answered again.
import { isAppError, type AppError } from '../../../kernel/errors.ts';
import { randomToken, newUuid } from '../../../kernel/ids.ts';
import type { AuditRecord, AuditTrail } from '../../../areas/audit/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { isWildcard, namesOf, provenName, readIdentifiers } from '../model/identifiers.ts';
import { refusal } from '../model/problems.ts';
import { payloadObject } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import type { Identifier } from '../model/vocabulary.ts';
import { assertNamesAllowed } from './name-policies.ts';
import type { OrderLimits } from './order-limits.ts';
import { issuedUnder, readOrderedProfile } from './ordered-profile.ts';
import { neededUntil, reuseKeyOf, type OrderWish, type PlacedOrder, type PlaceOrder } from './place-order.ts';
import { presentOrder } from './present.ts';
import type { Replacements } from './replacements.ts';
import type { RequestedValidity } from './requested-validity.ts';
import type { NewOrderRow } from './store-new-orders.ts';

export interface NewOrderParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly placing: PlaceOrder;
  readonly replacements: Replacements;
  readonly requestedValidity: RequestedValidity;
  readonly limits: OrderLimits;
}

export function createNewOrder(parts: NewOrderParts): (call: AccountCall) => Promise<AcmeReply> {
  const { audit, placing, replacements, requestedValidity, limits } = parts;
  const { clock, faultPoint } = parts.platform;

  return async function newOrder(call) {
    const request = payloadObject(call);
    const identifiers = readIdentifiers(request['identifiers']);
    assertNamesAllowed(call, identifiers);
    const now = clock.now();
    const wish = readWish(call, { request, identifiers, now });
    const reuse = { reuseKey: reuseKeyOf(call, wish), neededUntil: neededUntil(call, wish, now) };
    const refused = await refusalOf(limits.take(call));
    if (refused) {
      // What is open already adds nothing to what the limit bounds.
      const open = await placing.findOpen(call, reuse);
      if (!open) throw refused;
      return orderReply(call, { ...wish, ...open });
    }
    const order = await rowOf(call, { wish, identifiers, now });
    const placed = await placing.place(call, { ...order, ...reuse });
    if (placed.isReused) await limits.giveBack(call);
    const { replacedCertificateUuid: certificateUuid } = order;
    if (certificateUuid !== null) await replacements.assertFirst(placed.uuid, { certificateUuid }, now);
    faultPoint('acme.afterOrder');
    return orderReply(call, { ...wish, ...placed });
  };

  function readWish(
    { profile }: AccountCall,
    facts: {
      readonly request: Readonly<Record<string, unknown>>;
      readonly identifiers: readonly Identifier[];
      readonly now: Date;
    },
  ): OrderWish {
    const { request, identifiers, now } = facts;
    return {
      names: namesOf(identifiers),
      ...requestedValidity.read(request, now),
      profile: readOrderedProfile(request['profile'], profile),
      replaces: replacements.readIdentifier(request['replaces']),
    };
  }

  /** Refuses wishes that are not granted; what they are compared with is in the database. */
  async function rowOf(
    call: AccountCall,
    facts: { readonly wish: OrderWish; readonly identifiers: readonly Identifier[]; readonly now: Date },
  ): Promise<Omit<NewOrderRow, 'reuseKey' | 'neededUntil'>> {
    const { wish, identifiers, now } = facts;
    const { profile } = call;
    if (wish.notBefore || wish.notAfter) await requestedValidity.assertServed(issuedUnder(profile, wish.profile), wish);
    const replaced =
      wish.replaces === null
        ? null
        : await replacements.find(wish.replaces, { call, identifiers, now, reuseKey: reuseKeyOf(call, wish) });
    const uuid = newUuid();
    const { validityS, authorizationReuseS } = profile;
    return {
      uuid,
      identifiers,
      ...wish,
      authorizations: identifiers.map(authorizationFor),
      replacedCertificateUuid: replaced,
      expiresAt: new Date(now.getTime() + validityS * 1000),
      now,
      reuseSince: authorizationReuseS > 0 ? new Date(now.getTime() - authorizationReuseS * 1000) : null,
      audit: auditOf(call, { order: uuid, names: wish.names }),
    };
  }

  function auditOf({ context, account }: AccountCall, data: object): AuditRecord {
    return audit.record(context, {
      facts: { module: 'protocols', resource: 'acmeAccounts', operation: 'request' },
      objects: [{ uuid: account.uuid, name: account.accountId }],
      data,
    });
  }
}

/** An order that was there before is answered in the same way (RFC 8555 §7.4): the client is to go on with it. */
function orderReply({ urls }: AccountCall, order: OrderWish & PlacedOrder): AcmeReply {
  const { status, notBefore, notAfter } = order;
  const view = { ...order, not_before: notBefore, not_after: notAfter, certificate_uuid: null, error: null };
  return {
    status: 201,
    body: presentOrder(view, { status, urls }),
    headers: { location: urls.order(order.uuid) },
  };
}

/** The refusal for too many orders; what fails otherwise is thrown. */
async function refusalOf(taken: Promise<void>): Promise<AppError | undefined> {
  try {
    await taken;
    return undefined;
  } catch (error) {
    if (isAppError(error, 'too_many_requests')) return error;
    throw error;
  }
}

/** Octets of a token: RFC 8555 §8.1 asks for 128 bits at least. */
const TOKEN_BYTES = 32;

const authorizationFor = (identifier: Identifier) => ({
  uuid: newUuid(),
  type: identifier.type,
  value: provenName(identifier),
  wildcard: isWildcard(identifier),
  token: randomToken(TOKEN_BYTES),
});

/** For callers that name an order in a path. */
export const noSuchOrder = () =>
  refusal('malformed', 'There is no order with this identifier in your account.', { status: 404 });
