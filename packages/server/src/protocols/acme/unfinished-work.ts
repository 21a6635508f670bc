// Completes work left over from a crash or by a slow authority: orders in progress whose certificate is decided or was
// never requested, and challenges whose validation was interrupted. Each is leased first, so that two nodes never do
// the same work.
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import { createRounds, type Rounds } from '../../platform/jobs/rounds.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ProtocolCertificates } from '../../areas/issuing/index.ts';
import type { ValidationWork } from './authorizations/validation-work.ts';
import { VALIDATION_LEASE_MS } from './authorizations/validation-work.ts';
import { leaseChallenges, type LeasedChallenge } from './authorizations/store.ts';
import { ORDER_LEASE_MS } from './orders/finalize-order.ts';
import { issuingProfileFor } from './orders/ordered-profile.ts';
import type { OrderIssuer } from './orders/issue-order.ts';
import { impliedProblem, statusByCertificate } from './orders/present.ts';
import { namesOfAcceptedCsr } from './orders/check-csr.ts';
import type { LeaseTakeover } from './model/store-leases.ts';
import { leaseOrders, type LeasedOrder } from './store-upkeep.ts';
import { toRejection, isKnownRejection, storedProblem } from './model/problems.ts';
import type { ServedAcmeProfile, ServedAcmeProfiles } from '../../areas/acme-profiles/index.ts';
import { assertServed } from './requests/profile-rules.ts';
import type { AccountUrlsOf } from './model/account-urls.ts';
import { challengeTypes } from './model/vocabulary.ts';

const PERIOD_MS = 2_000;
const BATCH = 50;

export interface UnfinishedWorkParts {
  readonly platform: Platform;
  readonly profiles: ServedAcmeProfiles;
  readonly certificates: ProtocolCertificates;
  readonly issuer: OrderIssuer;
  readonly validation: ValidationWork;
  /** Returns the URLs by which DNS records can identify an account. */
  readonly addressesOf: AccountUrlsOf;
}

export interface UnfinishedWork extends Rounds {
  /** Runs one round; returns the number of orders and challenges taken over. */
  runOnce(): Promise<number>;
}

export function createUnfinishedWork(parts: UnfinishedWorkParts): UnfinishedWork {
  const { platform, profiles, certificates, issuer, validation, addressesOf } = parts;
  const { clock } = platform;

  async function finishOrder(order: LeasedOrder): Promise<void> {
    const status = statusByCertificate(order.certificate_state);
    if (status === 'valid') return issuer.settle({ uuid: order.uuid, status, error: null });
    if (status === 'invalid')
      return issuer.settle({ uuid: order.uuid, status, error: impliedProblem(order, clock.now()) });
    // The certificate object exists: its own reconciler settles it, and a later round sees the result.
    if (order.certificate_state !== null || order.csr === null || order.certificate_uuid === null) return;
    try {
      await issuer.issue({
        uuid: order.uuid,
        certificateUuid: order.certificate_uuid,
        account: { uuid: order.account_uuid, accountId: order.account_id },
        request: await certificates.readRequest(order.csr),
        names: namesOfAcceptedCsr(order.csr),
        notBefore: order.not_before,
        notAfter: order.not_after,
        profile: issuingProfileFor(await profileOf(profiles, order), order.profile),
        context: coreContext(newUuid()),
        taken: Promise.resolve(),
      });
    } catch (error) {
      if (!isKnownRejection(error)) throw error;
      await issuer.settle({ uuid: order.uuid, status: 'invalid', error: storedProblem(toRejection(error)) });
    }
  }

  async function finishChallenge(challenge: LeasedChallenge): Promise<void> {
    const type = challengeTypes.find((known) => known === challenge.challenge_type);
    if (type === undefined) return;
    const profile = await profileOf(profiles, challenge);
    await validation.run({
      authorization: challenge,
      type,
      thumbprint: challenge.key_thumbprint,
      account: { uuid: challenge.account_uuid, accountId: challenge.account_id },
      addresses: addressesOf({
        accountId: challenge.account_id,
        profile,
        origin: challenge.origin ?? undefined,
      }),
      profile,
      context: coreContext(newUuid()),
    });
  }

  // The sweeps are separate, since validation may take a long time if a target hangs.
  const orders = createSweep(platform, {
    what: 'looking for unfinished ACME orders',
    leaseMs: ORDER_LEASE_MS,
    lease: leaseOrders,
    finish: finishOrder,
  });
  const challenges = createSweep(platform, {
    what: 'looking for unfinished ACME challenges',
    leaseMs: VALIDATION_LEASE_MS,
    lease: leaseChallenges,
    finish: finishChallenge,
  });
  return {
    start() {
      orders.start();
      challenges.start();
    },
    stop: async () => void (await Promise.all([orders.stop(), challenges.stop()])),
    runOnce: async () => (await orders.runOnce()) + (await challenges.runOnce()),
  };
}

async function profileOf(
  profiles: ServedAcmeProfiles,
  owner: Pick<LeasedOrder, 'profile_name' | 'ra_profile_name'>,
): Promise<ServedAcmeProfile> {
  const name = owner.ra_profile_name ?? owner.profile_name;
  return assertServed(await profiles.find(owner.ra_profile_name === null ? 'profile' : 'raProfile', name), name);
}

interface SweepOptions<Row> {
  /** For log messages. */
  readonly what: string;
  readonly leaseMs: number;
  readonly lease: (executor: Executor, takeOver: LeaseTakeover) => Promise<readonly Row[]>;
  readonly finish: (row: Row) => Promise<unknown>;
}

function createSweep<Row extends { readonly uuid: string }>(
  { database, clock, log, nodeId }: Platform,
  { what, leaseMs, lease, finish }: SweepOptions<Row>,
): UnfinishedWork {
  /** Set until all work left over from an earlier run of this node has been taken over. */
  let bornAt: Date | null = clock.now();

  async function runOnce(): Promise<number> {
    const now = clock.now();
    const rows = await lease(database.executor, {
      by: nodeId,
      now,
      until: new Date(now.getTime() + leaseMs),
      ownBefore: bornAt && new Date(bornAt.getTime() + leaseMs),
      limit: BATCH,
    });
    if (rows.length < BATCH) bornAt = null;
    await Promise.all(rows.map(finishSafely));
    return rows.length;
  }

  async function finishSafely(row: Row): Promise<void> {
    try {
      await finish(row);
    } catch (error) {
      log.error(
        { error, what, uuid: row.uuid },
        'cannot complete unfinished ACME work; will retry after its lease expires',
      );
    }
  }

  const rounds = createRounds({ log, what, periodMs: PERIOD_MS, run: async () => (await runOnce()) >= BATCH });
  return { ...rounds, runOnce };
}
