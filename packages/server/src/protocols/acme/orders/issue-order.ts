// Issues a claimed order's certificate, and stores the result. Also completes orders left over from a crash: the order
// stores its certificate UUID before anything is requested, so nothing is issued twice.
import type { RequestFacts } from '../../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import { isKnownRejection, storedProblem } from '../model/problems.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import { raProfileOf } from '../requests/profile-rules.ts';
import type { StoredProblem } from '../model/vocabulary.ts';
import type { RequestedSubject } from './requested-subject.ts';
import type { RequestedValidity, Validity } from './requested-validity.ts';
import * as store from './store.ts';

/** Long enough for one statement to cover many orders, but short compared to an order's lease. */
const MARK_AFTER_MS = 250;

export interface OrderToIssue extends Validity {
  readonly uuid: string;
  readonly certificateUuid: string;
  readonly account: { readonly uuid: string; readonly accountId: string };
  readonly request: RequestFacts;
  /** Names that the certificate must contain, as `type:value`. */
  readonly names: readonly string[];
  readonly profile: ServedAcmeProfile;
  readonly context: RequestContext;
  /** Resolves when the order is claimed. If it rejects, the error is rethrown, and the caller must handle it. */
  readonly taken: Promise<unknown>;
}

export type IssueResult =
  | { readonly status: 'valid' }
  | { readonly status: 'processing' }
  | { readonly status: 'invalid'; readonly problem: StoredProblem };

export interface IssueOrderParts {
  readonly platform: Platform;
  readonly certificates: ProtocolCertificates;
  readonly requestedValidity: RequestedValidity;
  readonly requestedSubject: RequestedSubject;
}

export type OrderIssuer = ReturnType<typeof createOrderIssuer>;

export function createOrderIssuer(parts: IssueOrderParts) {
  const { database, log } = parts.platform;
  /**
   * Issued orders that are not yet marked as issued. They are marked asynchronously; until then, `valid` is derived
   * from the certificate.
   */
  const issued: store.SettledOrder[] = [];
  let marking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function issue(order: OrderToIssue): Promise<IssueResult> {
    const result = await attempt(parts, order);
    await order.taken;
    if (result.status === 'valid') scheduleMarking({ uuid: order.uuid, status: 'valid', error: null });
    if (result.status === 'invalid') await settle({ uuid: order.uuid, status: 'invalid', error: result.problem });
    return result;
  }

  const settle = (order: store.SettledOrder): Promise<void> => store.settleOrders(database.hot, [order]);

  /** Marks orders that are issued within a short time in one statement. */
  function scheduleMarking(order: store.SettledOrder): void {
    issued.push(order);
    timer ??= setTimeout(() => {
      marking = mark();
    }, MARK_AFTER_MS);
  }

  async function mark(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const orders = issued.splice(0);
    if (orders.length === 0) return;
    try {
      await store.settleOrders(database.relaxed, orders);
    } catch (error) {
      log.warn({ error, orders: orders.length }, 'cannot mark issued orders; will retry');
    }
  }

  return {
    issue,
    settle,
    /** Resolves when all issued orders are marked. */
    async drain(): Promise<void> {
      await marking;
      await mark();
    },
  };
}

async function attempt(parts: IssueOrderParts, order: OrderToIssue): Promise<IssueResult> {
  const { certificates, requestedValidity, requestedSubject } = parts;
  const { profile, context } = order;
  const raProfile = raProfileOf(profile);
  try {
    const validity = await requestedValidity.attributes(profile, order);
    const subject = await requestedSubject.attributes(profile, order);
    const outcome = await certificates.issue(
      {
        authorityUuid: raProfile.authorityUuid,
        raProfileUuid: raProfile.uuid,
        request: order.request,
        attributes: [...profile.issueAttributes, ...validity, ...subject],
        association: {
          certificateUuid: order.certificateUuid,
          committed: order.taken,
          protocol: { protocol: 'acme', profileUuid: profile.uuid, accountUuid: order.account.uuid },
          account: {
            resource: 'acmeAccounts',
            objects: [{ uuid: order.account.uuid, name: order.account.accountId }],
          },
          owner: profile.association.owner,
          groupUuids: profile.association.groupUuids,
          customAttributes: profile.association.customAttributes,
        },
      },
      context,
    );
    if (outcome?.status === 'issued') return { status: 'valid' };
    if (outcome?.status === 'failed') return { status: 'invalid', problem: storedProblem(outcome.error) };
    return { status: 'processing' };
  } catch (error) {
    if (isKnownRejection(error)) return { status: 'invalid', problem: storedProblem(error) };
    throw error; // After an internal error, the order stays unchanged and is retried.
  }
}
