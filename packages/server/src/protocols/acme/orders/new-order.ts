// Places orders (RFC 8555 §7.4): identifiers in canonical form, one authorization each, and the validity that is asked
// for.
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
import { presentOrder } from './present.ts';
import type { ProveAhead } from './prove-ahead.ts';
import type { Replacements } from './replacements.ts';
import type * as store from './store.ts';
import type { RequestedValidity } from './requested-validity.ts';

export interface NewOrderParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly orders: store.OrderStatements;
  readonly replacements: Replacements;
  readonly requestedValidity: RequestedValidity;
  readonly limits: OrderLimits;
  readonly proveAhead: ProveAhead;
}

export function createNewOrder(parts: NewOrderParts): (call: AccountCall) => Promise<AcmeReply> {
  const { audit, orders, replacements, requestedValidity, limits, proveAhead } = parts;
  const { clock, faultPoint } = parts.platform;

  return async function newOrder(call) {
    const request = payloadObject(call);
    const identifiers = readIdentifiers(request['identifiers']);
    assertNamesAllowed(call, identifiers);
    await limits.take(call);
    const now = clock.now();
    const profile = readOrderedProfile(request['profile'], call.profile);
    const validity = requestedValidity.read(request, now);
    if (validity.notBefore || validity.notAfter)
      await requestedValidity.assertServed(issuedUnder(call.profile, profile), validity);
    const replaces = request['replaces'];
    const replaced = replaces === undefined ? undefined : await replacements.read(replaces, { call, identifiers, now });
    const uuid = newUuid();
    const names = namesOf(identifiers);
    const order: store.NewOrderRow = {
      uuid,
      identifiers,
      names,
      authorizations: identifiers.map(authorizationFor),
      ...validity,
      profile,
      replaces: replaced?.identifier ?? null,
      replacedCertificateUuid: replaced?.certificateUuid ?? null,
      expiresAt: new Date(now.getTime() + call.profile.validityS * 1000),
      now,
      reuseSince:
        call.profile.authorizationReuseS > 0 ? new Date(now.getTime() - call.profile.authorizationReuseS * 1000) : null,
      audit: auditOf(call, { order: uuid, names }),
    };
    const placed = await orders.insert(call, order);
    if (replaced) await replacements.assertFirst(uuid, replaced, now);
    faultPoint('acme.afterOrder');
    const proven = placed.reused + (await proveAhead(call, placed.authorization_uuids));
    const view = {
      uuid: order.uuid,
      identifiers,
      authorization_uuids: placed.authorization_uuids,
      not_before: order.notBefore,
      not_after: order.notAfter,
      replaces: order.replaces,
      profile,
      certificate_uuid: null,
      error: null,
      expires_at: order.expiresAt,
    };
    const status = proven === identifiers.length ? 'ready' : 'pending';
    return {
      status: 201,
      body: presentOrder(view, { status, urls: call.urls }),
      headers: { location: call.urls.order(order.uuid) },
    };
  };

  function auditOf({ context, account }: AccountCall, data: object): AuditRecord {
    return audit.record(context, {
      facts: { module: 'protocols', resource: 'acmeAccounts', operation: 'request' },
      objects: [{ uuid: account.uuid, name: account.accountId }],
      data,
    });
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
