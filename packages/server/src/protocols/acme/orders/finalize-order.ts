// Finalizes an order (RFC 8555 §7.4): claims it in the same statement that records the nonce, and issues the
// certificate within the request. A claimed order stores its certificate UUID and CSR, so it records the intent to
// issue: the authority may prepare in the meantime, but signs only once the order is claimed. A repeated request, for
// example after a lost response, returns the state of the order, which is more lenient than the 403 in the standard; a
// request with a different key is rejected. Only one certificate is issued.
import { isUuid, newUuid } from '../../../kernel/ids.ts';
import { isAppError } from '../../../kernel/errors.ts';
import type { RequestFacts } from '../../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { AcmeRejection, rejection, storedProblem } from '../model/problems.ts';
import { payloadObject } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import type { RecentObjects } from '../requests/recent-objects.ts';
import type { CaaBeforeIssuance } from './caa-before-issuance.ts';
import { readCsr, type CsrOfOrder } from './check-csr.ts';
import type { IssueResult, OrderIssuer } from './issue-order.ts';
import { noSuchOrder } from './new-order.ts';
import type { OrderLimits } from './order-limits.ts';
import { issuingProfileFor } from './ordered-profile.ts';
import { presentOrder, statusOf } from './present.ts';
import { orderReply } from './read-order.ts';
import * as store from './store.ts';
import type { Vouching } from './vouching.ts';

/**
 * After this time another process takes over the order. Longer than a request waits for an authority. The new process
 * requests the same certificate, and an authority that has already signed it returns it again.
 */
export const ORDER_LEASE_MS = 15_000;

export interface FinalizeParts {
  readonly platform: Platform;
  readonly certificates: ProtocolCertificates;
  readonly issuer: OrderIssuer;
  readonly orders: store.OrderStatements;
  /** Choices made by orders that were placed on this node. */
  readonly choices: RecentObjects<store.OrderChoices>;
  readonly assertCaaPermits: CaaBeforeIssuance;
  readonly limits: OrderLimits;
  readonly vouching: Pick<Vouching, 'assertStillInForce'>;
}

/** Thrown if the order is not ready, does not belong to the account, or has different names. */
class NotClaimed extends Error {}

export function createFinalizeOrder(parts: FinalizeParts): (call: AccountCall) => Promise<AcmeReply> {
  const { assertCaaPermits, vouching } = parts;
  const { clock, nodeId } = parts.platform;

  return async function finalizeOrder(call) {
    if (!isUuid(call.id)) throw noSuchOrder();
    const csr = readCsr(payloadObject(call)['csr'], call.key);
    const request = await provenRequest(parts, csr);
    await vouching.assertStillInForce(call);
    await assertCaaPermits(call);
    const now = clock.now();
    const order = {
      uuid: call.id,
      certificateUuid: newUuid(),
      csr: csr.der,
      leasedBy: nodeId,
      leasedUntil: new Date(now.getTime() + ORDER_LEASE_MS),
      now,
      names: csr.names,
      publicKeyFingerprint: request.public_key_fingerprint,
    };
    try {
      return await claimAndIssue(parts, call, { order, request });
    } catch (error) {
      if (error instanceof NotClaimed) return explain(parts, call, { csr, request });
      throw error;
    }
  };
}

async function claimAndIssue(
  parts: FinalizeParts,
  call: AccountCall,
  { order, request }: { readonly order: store.OrderToClaim; readonly request: RequestFacts },
): Promise<AcmeReply> {
  const { limits } = parts;
  const { faultPoint } = parts.platform;
  const taking = claim(parts, call, order);
  // An order that was not claimed is not issued, whatever the result of the issuance.
  const [took, issued] = await Promise.allSettled([taking, issueClaimed(parts, call, { order, request, taking })]);
  if (took.status === 'rejected') throw took.reason;
  if (issued.status === 'rejected') throw issued.reason;
  const [taken, result] = [took.value, issued.value];
  if (result.status === 'valid') await limits.giveBack(call);
  faultPoint('acme.beforeAnswer');
  const error = result.status === 'invalid' ? result.problem : undefined;
  return {
    status: 200,
    body: presentOrder(taken, { status: result.status, urls: call.urls, error }),
    headers: {
      location: call.urls.order(order.uuid),
      ...(result.status === 'processing' ? { 'retry-after': String(Math.max(1, call.profile.retryInterval)) } : {}),
    },
  };
}

interface OrderClaim {
  readonly order: store.OrderToClaim;
  readonly request: RequestFacts;
  readonly taking: Promise<store.ClaimedOrder>;
}

/** Starts issuance while the order is still being claimed, if the order was placed on this node. */
async function issueClaimed(
  parts: FinalizeParts,
  call: AccountCall,
  { order, request, taking }: OrderClaim,
): Promise<IssueResult> {
  const { issuer, choices } = parts;
  const { not_before: notBefore, not_after: notAfter, profile } = choices.take(call, order.uuid) ?? (await taking);
  return issuer.issue({
    uuid: order.uuid,
    certificateUuid: order.certificateUuid,
    account: call.account,
    request,
    names: order.names,
    notBefore,
    notAfter,
    profile: await profileOf(parts, call, { ordered: profile, taking }),
    context: call.context,
    taken: taking,
  });
}

async function claim(
  { orders, platform }: FinalizeParts,
  call: AccountCall,
  order: store.OrderToClaim,
): Promise<store.ClaimedOrder> {
  const taken = await orders.take(call, order);
  if (!taken) throw new NotClaimed();
  platform.faultPoint('acme.afterTake');
  return taken;
}

/**
 * Returns an order's profile. An order becomes invalid if its profile is no longer offered (draft-ietf-acme-profiles-00
 * §4).
 */
async function profileOf(
  { issuer }: FinalizeParts,
  { profile }: AccountCall,
  { ordered, taking }: { readonly ordered: string | null; readonly taking: Promise<store.ClaimedOrder> },
): Promise<ServedAcmeProfile> {
  try {
    return issuingProfileFor(profile, ordered);
  } catch (error) {
    const { uuid } = await taking;
    if (error instanceof AcmeRejection) await issuer.settle({ uuid, status: 'invalid', error: storedProblem(error) });
    throw error;
  }
}

async function provenRequest(parts: FinalizeParts, { der }: CsrOfOrder): Promise<RequestFacts> {
  const { certificates } = parts;
  try {
    return await certificates.readRequest(der);
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw rejection('badCSR', toSentence(error.message), { cause: error });
  }
}

/**
 * Explains why an order could not be claimed. An order that is processing or valid for the same CSR is returned
 * unchanged.
 */
async function explain(
  parts: FinalizeParts,
  call: AccountCall,
  { csr, request }: { readonly csr: CsrOfOrder; readonly request: RequestFacts },
): Promise<AcmeReply> {
  const { database, clock } = parts.platform;
  const { certificates, orders } = parts;
  const now = clock.now();
  const order = await orders.read(call, { uuid: call.id, now });
  if (!order) throw noSuchOrder();
  const status = statusOf(order, now);
  if (status === 'processing' || status === 'valid') {
    const { public_key_fingerprint: publicKeyFingerprint } = request;
    const isSame = await store.isClaimedFor(database.relaxed, { uuid: call.id, csr: csr.der, publicKeyFingerprint });
    if (isSame) return orderReply(call, order, now);
    throw rejection('orderNotReady', 'The order was already finalized with a different CSR. Place a new order.');
  }
  if (status === 'pending')
    throw rejection(
      'orderNotReady',
      'Not all authorizations of the order are valid. Complete a challenge for each of them first.',
    );
  if (status === 'invalid')
    throw rejection('orderNotReady', 'The order is invalid and cannot be finalized. Place a new order.');
  if (await certificates.isCompromised(request))
    throw rejection('badCSR', 'The key in the CSR was revoked as compromised. Generate a new key.');
  throw rejection('badCSR', mismatch(csr.names, order.identifiers));
}

/** Removes the request field's name, which matters only in the REST API, and formats the message as a sentence. */
function toSentence(message: string): string {
  const text = message.replace(/^request: /, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Describes the difference between the two sets of names, which must be equal (RFC 8555 §7.4). */
function mismatch(requested: readonly string[], identifiers: store.OrderView['identifiers']): string {
  const ordered = identifiers.map(({ type, value }) => `${type}:${value}`);
  const missing = ordered.filter((name) => !requested.includes(name));
  const extra = requested.filter((name) => !ordered.includes(name));
  const parts = [
    ...(missing.length > 0 ? [`missing ${missing.slice(0, 5).join(', ')}`] : []),
    ...(extra.length > 0 ? [`not in the order: ${extra.slice(0, 5).map(printable).join(', ')}`] : []),
  ];
  return `The names in the CSR must match the order: ${parts.join('; ')}.`;
}

const printable = (name: string): string => name.slice(0, 253).replaceAll(/[^\x20-\x7e]/g, '?');
