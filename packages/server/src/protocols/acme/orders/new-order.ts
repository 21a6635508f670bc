// New orders (RFC 8555 §7.4): identifiers in canonical form, one authorization per identifier, and the requested
// validity period. If an identical order is open, it is returned instead.
import { isAppError, type AppError } from '../../../kernel/errors.ts';
import { randomToken, newUuid } from '../../../kernel/ids.ts';
import type { HostNameRules } from '@signetry/pki';
import type { AuditTrail } from '../../../areas/audit/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { OpenAuthorizations } from '../authorizations/open-authorizations.ts';
import type { AuthorizationView } from '../authorizations/store.ts';
import { haveUnderscore, isWildcard, provenName } from '../model/identifiers.ts';
import { rejection } from '../model/problems.ts';
import { payloadObject } from '../requests/authenticate.ts';
import { raProfileOf } from '../requests/profile-rules.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import type { RecentObjects } from '../requests/recent-objects.ts';
import type { Identifier } from '../model/vocabulary.ts';
import { assertNamesAllowed } from './name-policies.ts';
import type { OrderLimits } from './order-limits.ts';
import { neededUntil, readOrderSpec, reuseKeyOf, type OrderSpec } from './order-spec.ts';
import { issuingProfileFor, readOrderedProfile } from './ordered-profile.ts';
import type { PlacedOrder, PlaceOrder } from './place-order.ts';
import { presentOrder } from './present.ts';
import type { Prevalidate } from './prevalidate.ts';
import type { Replacements } from './replacements.ts';
import type { RequestedValidity } from './requested-validity.ts';
import type { OrderChoices } from './store.ts';
import type { NewOrderRow } from './store-new-orders.ts';
import type { Vouching } from './vouching.ts';

export interface NewOrderParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly raProfiles: Pick<RaProfiles, 'allowsUnderscores'>;
  readonly placing: PlaceOrder;
  readonly open: OpenAuthorizations;
  /** Choices made by orders that were placed on this node. */
  readonly choices: RecentObjects<OrderChoices>;
  readonly replacements: Replacements;
  readonly requestedValidity: RequestedValidity;
  readonly limits: OrderLimits;
  readonly proveAhead: Prevalidate;
  readonly vouching: Pick<Vouching, 'isInForce' | 'apply'>;
}

export function createNewOrder(parts: NewOrderParts): (call: AccountCall) => Promise<AcmeReply> {
  const { placing, open, choices, replacements, requestedValidity, limits, proveAhead, vouching } = parts;
  const { clock, faultPoint } = parts.platform;

  return async function newOrder(call) {
    const now = clock.now();
    const request = payloadObject(call);
    const nameRules = await nameRulesFor(parts, call, request);
    const wish = readOrderSpec(request, { call, requestedValidity, now, nameRules });
    assertNamesAllowed(call, wish.identifiers);
    const reuse = { reuseKey: reuseKeyOf(call, wish), neededUntil: neededUntil(call, wish, now) };
    const refused = await rejectionOf(limits.take(call));
    if (refused) {
      // An order that is already open is not counted toward the limit a second time.
      const present = await placing.findOpen(call, reuse);
      if (!present) throw refused;
      return orderReply(call, { ...wish, ...present });
    }
    const certificateUuid = await assertGranted(parts, wish, { call, now, ...reuse });
    const isVouchedFor = await vouching.isInForce(call);
    const order = { ...rowOf(parts, wish, { call, now, isVouchedFor }), replacedCertificateUuid: certificateUuid };
    const placed = await placing.place(call, { ...order, ...reuse });
    if (placed.isReused) await limits.giveBack(call);
    else {
      choices.remember(call, placed.uuid, {
        not_before: wish.notBefore,
        not_after: wish.notAfter,
        profile: wish.profile,
      });
      if (!isVouchedFor)
        for (const authorization of newAuthorizations(order, placed)) open.remember(call, authorization);
    }
    if (certificateUuid !== null) await replacements.assertFirst(placed.uuid, { certificateUuid }, now);
    faultPoint('acme.afterOrder');
    const isProven = placed.proven === placed.authorization_uuids.length;
    const prove = isVouchedFor ? vouching.apply : proveAhead;
    const provenAhead = isProven ? 0 : await prove(call, placed.authorization_uuids);
    return orderReply(call, { ...wish, ...placed, proven: placed.proven + provenAhead });
  };
}

/** Returns the rules of the RA profile that the order selects. The profile is read only if a name needs it. */
async function nameRulesFor(
  { raProfiles }: NewOrderParts,
  { profile }: AccountCall,
  request: Readonly<Record<string, unknown>>,
): Promise<HostNameRules> {
  if (!haveUnderscore(request['identifiers'])) return {};
  const issuing = issuingProfileFor(profile, readOrderedProfile(request['profile'], profile));
  return { allowUnderscores: await raProfiles.allowsUnderscores(raProfileOf(issuing).uuid) };
}

/**
 * Rejects validity periods that the authority does not accept, and certificates that are already replaced; returns the
 * UUID of the certificate to be replaced.
 */
async function assertGranted(
  { requestedValidity, replacements }: NewOrderParts,
  wish: OrderSpec,
  facts: { readonly call: AccountCall; readonly now: Date; readonly reuseKey: string },
): Promise<string | null> {
  const { profile } = facts.call;
  if (wish.notBefore || wish.notAfter)
    await requestedValidity.assertServed(issuingProfileFor(profile, wish.profile), wish);
  return wish.replaces === null ? null : replacements.find(wish.replaces, { ...facts, names: wish.names });
}

function rowOf(
  { audit }: NewOrderParts,
  wish: OrderSpec,
  { call, now, isVouchedFor }: { readonly call: AccountCall; readonly now: Date; readonly isVouchedFor: boolean },
): Omit<NewOrderRow, 'replacedCertificateUuid' | 'reuseKey' | 'neededUntil'> {
  const { validity, authorizationReuse } = call.profile;
  const uuid = newUuid();
  return {
    uuid,
    ...wish,
    authorizations: wish.identifiers.map(authorizationFor),
    expiresAt: new Date(now.getTime() + validity * 1000),
    now,
    reuseSince: authorizationReuse > 0 ? new Date(now.getTime() - authorizationReuse * 1000) : null,
    audit: audit.record(call.context, {
      facts: { module: 'protocols', resource: 'acmeAccounts', operation: 'request' },
      objects: [{ uuid: call.account.uuid, name: call.account.accountId }],
      data: { order: uuid, names: wish.names, ...(isVouchedFor ? { validatedBy: 'externalAccountKey' } : {}) },
    }),
  };
}

/**
 * Returns the response for an order. An existing order gets the same response as a new one (RFC 8555 §7.4), so that the
 * client continues with it.
 */
function orderReply({ urls }: AccountCall, order: OrderSpec & PlacedOrder): AcmeReply {
  const { notBefore, notAfter } = order;
  const status = order.proven === order.authorization_uuids.length ? 'ready' : 'pending';
  const view = { ...order, not_before: notBefore, not_after: notAfter, certificate_uuid: null, error: null };
  return {
    status: 201,
    body: presentOrder(view, { status, urls }),
    headers: { location: urls.order(order.uuid) },
  };
}

/** Returns the error if there are too many orders; rethrows all other errors. */
async function rejectionOf(taken: Promise<void>): Promise<AppError | undefined> {
  try {
    await taken;
    return undefined;
  } catch (error) {
    if (isAppError(error, 'too_many_requests')) return error;
    throw error;
  }
}

/** Token length in bytes: RFC 8555 §8.1 requires at least 128 bits of entropy. */
const TOKEN_BYTES = 32;

const authorizationFor = (identifier: Identifier) => ({
  uuid: newUuid(),
  type: identifier.type,
  value: provenName(identifier),
  wildcard: isWildcard(identifier),
  token: randomToken(TOKEN_BYTES),
});

/** Returns the authorizations that were newly created for the order. */
const newAuthorizations = (
  { uuid: order_uuid, authorizations, expiresAt }: Pick<NewOrderRow, 'uuid' | 'authorizations' | 'expiresAt'>,
  { authorization_uuids }: PlacedOrder,
): AuthorizationView[] =>
  authorizations
    .filter(({ uuid }) => authorization_uuids.includes(uuid))
    .map(({ uuid, type, value, wildcard, token }) => ({
      uuid,
      order_uuid,
      identifier_type: type,
      identifier_value: value,
      wildcard,
      token,
      status: 'pending',
      challenge_type: null,
      challenge_status: null,
      error: null,
      validated_at: null,
      expires_at: expiresAt,
    }));

/** For callers that specify an order in a path. */
export const noSuchOrder = () =>
  rejection('malformed', 'There is no order with this identifier in your account.', { status: 404 });
