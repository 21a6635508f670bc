// Validates a certificate with its whole chain, root first, and stores the verdict about each member. The periodic job
// and imports also use it.
import type { CertificateValidationResultDto, PurposeVerdict } from '@signetry/contract';
import { createBudget, type Certificate } from '@signetry/pki';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Settings } from '../settings/index.ts';
import { assessChain, type Assessment } from './assess-chain.ts';
import type { CertificateWork, PathsQuery } from './certificate-work.ts';
import { createIssuers, sha256Hex, type Issuers, type ReadCertificate, type Users } from '../certificates/index.ts';
import { recordVerdicts, type VerdictParts } from './record-verdicts.ts';
import type { LookUpRevocation } from './revocation-check.ts';
import type { ValidationRow } from './store.ts';

export interface ValidatorOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly issuers: Issuers;
  readonly work: Pick<CertificateWork, 'findPaths' | 'findPathsIfCheap'>;
  readonly users: Users;
  readonly settings: Pick<Settings, 'validationDefaults'>;
  /** Fetches issuers that are not in the inventory from the URLs in certificates. */
  readonly findIssuers?: (certificate: Certificate) => Promise<readonly ReadCertificate[]>;
  /** Imports them into the inventory. */
  readonly adopt?: (issuers: readonly ReadCertificate[], context: RequestContext) => Promise<void>;
  /** Looks up the revocation of certificates from other authorities. */
  readonly lookUpRevocation?: LookUpRevocation;
}

/**
 * Maximum number of issuers that are fetched: real hierarchies contain up to five certificates, and endless ones occur
 * only in attacks.
 */
const MAX_FETCHED_ISSUERS = 8;

export interface Freshness {
  /** Maximum age of CRLs and OCSP responses; by default, they are used while they are valid. */
  readonly maxAgeMs?: number;
}

interface Occasion extends Freshness {
  readonly now: Date;
  readonly context: RequestContext;
}

export interface Validated {
  readonly row: ValidationRow;
  readonly result: CertificateValidationResultDto;
  readonly isTrustMissing: boolean;
  /** Empty if the certificate was not validated. */
  readonly purposes: readonly PurposeVerdict[];
}

export type ValidatedChain = readonly [Validated, ...Validated[]];

export type Validator = ReturnType<typeof createValidator>;

export function createValidator(options: ValidatorOptions) {
  const { platform, issuers, work, users, settings, lookUpRevocation } = options;
  const { database, clock, events } = platform;
  const parts: VerdictParts = options;

  /**
   * Returns the current verdict about a certificate. If validation is disabled, the result states whether the RA
   * profile or the platform settings disable it.
   */
  const validate = async (...request: Parameters<typeof validateChain>): Promise<CertificateValidationResultDto> =>
    (await validateChain(...request))[0].result;

  /**
   * Also returns the verdicts about its authorities: the certificate comes first, and each certificate is followed by
   * its issuer.
   */
  async function validateChain(uuid: string, context: RequestContext, freshness?: Freshness): Promise<ValidatedChain> {
    const now = clock.now();
    const assessment = await assessComplete(uuid, { now, context, ...freshness });
    if (assessment.kind === 'notValidated') {
      const { row, result, toStore } = assessment;
      if (toStore) await database.transaction((tx) => recordVerdicts(tx, [toStore], { parts, now, context }));
      return [{ row, result, isTrustMissing: false, purposes: [] }];
    }
    if (assessment.kind === 'tooCostly') throw new Error('A search with the full budget must have an outcome.');
    const { chain } = assessment;
    const changed = await database.transaction((tx) => recordVerdicts(tx, chain, { parts, now, context }));
    if (changed) afterChange();
    const [first, ...others] = chain;
    return [withTimestamp(now, first), ...others.map((member) => withTimestamp(now, member))];
  }

  /** Fetches missing issuers from the URLs in certificates, each at most once. */
  async function assessComplete(uuid: string, { now, context, maxAgeMs }: Occasion): Promise<Assessment> {
    const { findIssuers, adopt } = options;
    const asked = new Set<string>();
    for (;;) {
      const assessment = await assessChain(uuid, {
        executor: database.executor,
        issuers,
        findPaths: work.findPaths,
        now,
        defaults: await settings.validationDefaults(),
        lookUpRevocation,
        maxAgeMs,
      });
      const wanted = assessment.kind === 'judged' ? assessment.chain[0].issuerWanted : undefined;
      if (!wanted || !findIssuers || !adopt || asked.size === MAX_FETCHED_ISSUERS) return assessment;
      const key = sha256Hex(wanted.der);
      if (asked.has(key)) return assessment;
      asked.add(key);
      const found = await findIssuers(wanted);
      if (found.length === 0) return assessment;
      await adopt(found, context);
      issuers.forget();
    }
  }

  /**
   * Validates in the caller's transaction, which also sees certificates imported in it, without external requests or
   * worker threads. Certificates that are too expensive to validate here, alone or together with the rest of the file,
   * are left to periodic validation. Call `afterChange` after the commit.
   */
  function within(tx: Executor, context: RequestContext): (uuid: string) => Promise<void> {
    const issuersOfTransaction = createIssuers({ executor: tx, clock });
    const budget = createBudget();
    let defaults: ReturnType<Settings['validationDefaults']> | undefined;
    return async function validateWithin(uuid) {
      const now = clock.now();
      const findPaths = (question: PathsQuery) => work.findPathsIfCheap(question, budget);
      const assessment = await assessChain(uuid, {
        executor: tx,
        issuers: issuersOfTransaction,
        findPaths,
        now,
        defaults: await (defaults ??= settings.validationDefaults(tx)),
      });
      if (assessment.kind === 'judged') await recordVerdicts(tx, assessment.chain, { parts, now, context });
    };
  }

  /** Applies a changed status immediately to issuance and sign-in on this node. */
  function afterChange(): void {
    issuers.forget();
    users.forgetCertificates();
    events.wake();
  }

  return { validate, validateChain, within, afterChange };
}

const withTimestamp = (now: Date, { row, result, isTrustMissing, purposes }: Validated): Validated => ({
  row,
  result: { ...result, validationTimestamp: now.toISOString() },
  isTrustMissing,
  purposes,
});
