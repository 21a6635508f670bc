// Issues the certificate of an order that was taken for it, and stores how that ended. Also what finishes orders that a crash
// left: the order names its certificate before anything is asked for, so nothing is issued twice.
import { createBatcher } from '@signetry/connector-sdk';
import type { CertificatesArea, RequestFacts } from '../../../areas/certificates/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import { isKnownRefusal, storedProblem } from '../problems.ts';
import type { ServedProfile } from '../profiles/served-profiles.ts';
import { raProfileOf } from '../requests/profile-rules.ts';
import type { StoredProblem } from '../vocabulary.ts';
import type { RequestedValidity, Validity } from './requested-validity.ts';
import * as store from './store.ts';

export interface OrderToIssue extends Validity {
  readonly uuid: string;
  readonly certificateUuid: string;
  readonly accountUuid: string;
  readonly request: RequestFacts;
  readonly profile: ServedProfile;
  readonly context: RequestContext;
}

export type IssueResult =
  | { readonly status: 'valid' }
  | { readonly status: 'processing' }
  | { readonly status: 'invalid'; readonly problem: StoredProblem };

export interface IssueOrderParts {
  readonly platform: Platform;
  readonly certificates: CertificatesArea['protocols'];
  readonly requestedValidity: RequestedValidity;
}

export type OrderIssuer = ReturnType<typeof createOrderIssuer>;

export function createOrderIssuer({ platform, certificates, requestedValidity }: IssueOrderParts) {
  const { database, log } = platform;
  // Nobody waits for this: until it is stored, `valid` follows from the certificate.
  const settle = createBatcher<store.SettledOrder, void>({
    write: async (orders) => {
      await store.settleOrders(database.relaxed, orders);
      return orders.map(() => undefined);
    },
  });
  const settling = new Set<Promise<void>>();

  async function issue(order: OrderToIssue): Promise<IssueResult> {
    const result = await attempt(order);
    if (result.status === 'valid') settleSoon({ uuid: order.uuid, status: 'valid', error: null });
    if (result.status === 'invalid') await settle({ uuid: order.uuid, status: 'invalid', error: result.problem });
    return result;
  }

  async function attempt(order: OrderToIssue): Promise<IssueResult> {
    const { profile, context } = order;
    const raProfile = raProfileOf(profile);
    try {
      const wishes = await requestedValidity.attributes(profile, order);
      const outcome = await certificates.issue(
        {
          authorityUuid: raProfile.authorityUuid,
          raProfileUuid: raProfile.uuid,
          request: order.request,
          attributes: [...profile.issueAttributes, ...wishes],
          association: {
            certificateUuid: order.certificateUuid,
            protocol: { protocol: 'acme', profileUuid: profile.uuid, accountUuid: order.accountUuid },
            owner: ownerOf(profile),
            groupUuids: profile.association.groupUuids,
          },
        },
        context,
      );
      if (outcome?.status === 'issued') return { status: 'valid' };
      if (outcome?.status === 'failed') return { status: 'invalid', problem: storedProblem(outcome.error) };
      return { status: 'processing' };
    } catch (error) {
      if (isKnownRefusal(error)) return { status: 'invalid', problem: storedProblem(error) };
      throw error; // an order that met a fault of ours stays as it is and is looked at again
    }
  }

  function settleSoon(order: store.SettledOrder): void {
    const work = settle(order).catch((error: unknown) => {
      log.warn({ error, order: order.uuid }, 'an issued order could not be marked; it will be looked at again');
    });
    settling.add(work);
    void work.finally(() => settling.delete(work));
  }

  return {
    issue,
    settle,
    /** Resolves when nothing is left to be stored. */
    drain: async (): Promise<void> => {
      while (settling.size > 0) await Promise.all(settling);
    },
  };
}

function ownerOf({ association }: ServedProfile): { uuid: string; username: string } | null {
  const { ownerUuid, ownerUsername } = association;
  return ownerUuid === undefined || ownerUsername === undefined ? null : { uuid: ownerUuid, username: ownerUsername };
}
