// Presents orders in the protocol's format (RFC 8555 §7.1.3). Statuses that are not stored are derived here: ready from
// the authorizations, valid and invalid from the certificate, and invalid also from a failed proof or an expiry.
import type { AcmeOrder } from '@signetry/contract';
import { presentProblem } from '../model/problems.ts';
import type { AcmeUrls } from '../model/urls.ts';
import type { StoredProblem } from '../model/vocabulary.ts';
import type { OrderView } from './store.ts';

export type OrderStatus = AcmeOrder['status'];

/** The certificate required an approval that was denied or timed out. */
const NOT_APPROVED = 'rejected';
/** States of a certificate object that will never have a certificate. */
export const STATES_WITHOUT_CERTIFICATE: ReadonlySet<string> = new Set([NOT_APPROVED, 'failed']);
export const STATES_WITH_CERTIFICATE: ReadonlySet<string> = new Set(['issued', 'revoked']);

/** Returns the status that the client sees. `shownStatus` in store-status.ts implements the same logic in SQL. */
export function statusOf(order: OrderView, now: Date): OrderStatus {
  if (order.status === 'processing') return statusByCertificate(order.certificate_state);
  if (order.status !== 'pending') return order.status;
  if (order.expires_at.getTime() <= now.getTime()) return 'invalid';
  const statuses = order.authorization_statuses;
  // Authorizations that expired long ago are removed; an order that used one may outlive it.
  if (statuses.length < order.authorization_uuids.length) return 'invalid';
  if (statuses.every((status) => status === 'valid')) return 'ready';
  return statuses.every((status) => status === 'valid' || status === 'pending') ? 'pending' : 'invalid';
}

export function statusByCertificate(state: string | null): 'processing' | 'valid' | 'invalid' {
  if (state === null) return 'processing';
  if (STATES_WITH_CERTIFICATE.has(state)) return 'valid';
  return STATES_WITHOUT_CERTIFICATE.has(state) ? 'invalid' : 'processing';
}

export function presentOrder(
  order: Omit<OrderView, 'authorization_statuses' | 'certificate_state' | 'status'>,
  {
    status,
    urls,
    error,
  }: { readonly status: OrderStatus; readonly urls: AcmeUrls; readonly error?: StoredProblem | undefined },
): AcmeOrder {
  const problem = order.error ?? error;
  return {
    status,
    expires: order.expires_at.toISOString(),
    identifiers: [...order.identifiers],
    ...(order.not_before ? { notBefore: order.not_before.toISOString() } : {}),
    ...(order.not_after ? { notAfter: order.not_after.toISOString() } : {}),
    ...(order.replaces === null ? {} : { replaces: order.replaces }),
    ...(order.profile === null ? {} : { profile: order.profile }),
    ...(problem && status === 'invalid' ? { error: presentProblem(problem, urls.order(order.uuid)) } : {}),
    authorizations: order.authorization_uuids.map((uuid) => urls.authorization(uuid)),
    finalize: urls.finalize(order.uuid),
    ...(status === 'valid' && order.certificate_uuid !== null
      ? { certificate: urls.certificate(order.certificate_uuid) }
      : {}),
  };
}

/** Returns why an order is invalid if no error was stored. Does not disclose the approver or their comment. */
export function impliedProblem(
  order: Pick<OrderView, 'status' | 'expires_at' | 'certificate_state'>,
  now: Date,
): StoredProblem {
  if (order.status === 'processing' && order.certificate_state === NOT_APPROVED)
    return {
      type: 'unauthorized',
      detail:
        'The certificate required an approval, which was rejected or timed out. Contact the administrator before placing a new order.',
    };
  if (order.status === 'processing')
    return {
      type: 'serverInternal',
      detail: 'The certificate could not be issued; an administrator can see the reason in its history.',
    };
  if (order.expires_at.getTime() <= now.getTime())
    return { type: 'malformed', detail: 'The order expired before it was finalized. Place a new one.' };
  return { type: 'unauthorized', detail: 'An authorization of the order is no longer valid. Place a new order.' };
}
