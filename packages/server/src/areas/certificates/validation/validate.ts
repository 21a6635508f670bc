// Validates a certificate with its whole chain, root first, and stores the verdict of each member. Also what the periodic
// job and imports call.
import type { CertificateValidationResultDto } from '@signetry/contract';
import { createBudget } from '@signetry/pki';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { assessChain, type Assessed, type ValidationResult } from './assess-chain.ts';
import type { CertificateWork, PathsQuestion } from './certificate-work.ts';
import { createIssuers, type Issuers } from '../core/issuers.ts';
import type { Users } from '../core/ports.ts';
import type { LookUpRevocation } from './revocation-check.ts';
import { isUsable } from './standing.ts';
import * as store from '../core/store.ts';
import { historyEntry, insertHistory } from '../core/store-history.ts';
import { linkIssuer, storeValidation } from './store.ts';

/** Issuers are part of every chain below them; an unchanged verdict about them is not written more often than this. */
const REFRESH_ISSUER_MS = 10 * 60_000;

export interface ValidatorOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly issuers: Issuers;
  readonly work: Pick<CertificateWork, 'findPaths' | 'findPathsAtOnce'>;
  readonly users: Users;
  /** Where revocation is looked up for certificates of authorities that are not ours. */
  readonly lookUpRevocation?: LookUpRevocation;
}

export type Validator = ReturnType<typeof createValidator>;

export function createValidator(options: ValidatorOptions) {
  const { platform, audit, issuers, work, users, lookUpRevocation } = options;
  const { database, clock, events } = platform;

  /** The verdict about a certificate now. Where validation is switched off, the answer says by whom. */
  async function validate(uuid: string, context: RequestContext): Promise<CertificateValidationResultDto> {
    const now = clock.now();
    const assessment = await assessChain(uuid, {
      executor: database.executor,
      issuers,
      findPaths: work.findPaths,
      now,
      lookUpRevocation,
    });
    if (assessment.kind === 'notValidated') {
      const { result, toStore } = assessment;
      if (toStore) await database.transaction((tx) => storeVerdict(tx, toStore, { isTarget: true, now, context }));
      return result;
    }
    if (assessment.kind === 'tooCostly') throw new Error('A search with its whole bound of work has an outcome.');
    const { chain } = assessment;
    const changed = await database.transaction((tx) => storeChain(tx, chain, { now, context }));
    if (changed) afterChange();
    return { ...chain[0].result, validationTimestamp: now.toISOString() };
  }

  /**
   * The same with the caller's transaction, which also sees what it has just imported; nothing is asked outside and no
   * thread is waited for. What is too costly for that, or for the file as a whole, is left to the periodic validation.
   * Call `afterChange` after the commit.
   */
  function within(tx: Executor, context: RequestContext): (uuid: string) => Promise<void> {
    const issuersOfTransaction = createIssuers({ executor: tx, clock });
    const budget = createBudget();
    return async function validateWithin(uuid) {
      const now = clock.now();
      const findPaths = (question: PathsQuestion) => work.findPathsAtOnce(question, budget);
      const assessment = await assessChain(uuid, { executor: tx, issuers: issuersOfTransaction, findPaths, now });
      if (assessment.kind === 'judged') await storeChain(tx, assessment.chain, { now, context });
    };
  }

  /** A changed status counts for issuing and signing in at once on this node. */
  function afterChange(): void {
    issuers.forget();
    users.forgetCertificates();
    events.wake();
  }

  /** Answers whether a status changed. */
  async function storeChain(
    tx: Executor,
    chain: readonly Assessed[],
    facts: { readonly now: Date; readonly context: RequestContext },
  ): Promise<boolean> {
    let changed = false;
    // One order for everybody: two chains that share issuers must not wait for each other.
    for (const assessed of chain.toSorted((a, b) => (a.row.uuid < b.row.uuid ? -1 : 1)))
      changed = (await storeVerdict(tx, assessed, { ...facts, isTarget: assessed === chain[0] })) || changed;
    return changed;
  }

  async function storeVerdict(
    tx: Executor,
    { row, result, issuer }: Assessed,
    { isTarget, now, context }: { readonly isTarget: boolean; readonly now: Date; readonly context: RequestContext },
  ): Promise<boolean> {
    const from = row.validation_status;
    const to = result.resultStatus;
    if (issuer && row.issuer_certificate_uuid !== issuer.uuid) await linkIssuer(tx, row.uuid, { ...issuer, at: now });
    if (from === to && !isTarget && isFresh(row, now)) return false;
    const stored = await storeValidation(tx, row.uuid, {
      status: to,
      checks: statusesOf(result),
      at: now,
      seen: row,
    });
    if (!stored || from === to) return false;
    const facts = { certificate_uuid: row.uuid, status: 'SUCCESS', created_at: now, created_by: context.actor.username ?? 'signetry' } as const; // prettier-ignore
    if (to === 'revoked' && row.state === 'issued') {
      await store.markRevoked(tx, row.uuid, { reason: 'unspecified', at: now });
      await insertHistory(tx, historyEntry({ ...facts, event: 'Update State', message: 'issued -> revoked' }));
    }
    const additional = result.message === undefined ? null : { reason: result.message };
    const entry = { ...facts, event: 'Update Validation Status', message: `${from} -> ${to}`, additional } as const;
    await insertHistory(tx, historyEntry(entry));
    await audit.append(tx, context, {
      facts: { module: 'certificates', resource: 'certificates', operation: 'checkValidation' },
      objects: [{ uuid: row.uuid, name: row.common_name }],
      data: { from, to },
    });
    await events.append(tx, 'certificate_status_changed', { certificateUuid: row.uuid, from, to });
    if (row.trusted_ca !== null && isUsable(from) !== isUsable(to))
      await events.append(tx, 'authority_standing_changed', { certificateUuid: row.uuid });
    return true;
  }

  return { validate, within, afterChange };
}

const statusesOf = ({ validationChecks = {} }: ValidationResult): Record<string, string> =>
  Object.fromEntries(Object.values(validationChecks).map(({ validationCheck, status }) => [validationCheck, status]));

const isFresh = ({ validated_at: at }: Assessed['row'], now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() < REFRESH_ISSUER_MS;
