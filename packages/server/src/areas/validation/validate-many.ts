// Validates many certificates in batches: while worker threads judge one batch, the next is read and the previous one
// is written. An unchanged verdict costs only one write of a narrow row. Certificates that need more, such as a
// responder or an external issuer, are validated individually.
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Settings } from '../settings/index.ts';
import { TRUST_CHECK, TRUST_MISSING } from '../certificates/index.ts';
import { reasonToSkip, type AssessedRow } from './assess-chain.ts';
import type { BatchVerdict } from './evaluate-batch.ts';
import { createEvaluator, type EvaluatorParts } from './evaluate-many.ts';
import { recordManyVerdicts, type VerdictParts } from './record-verdicts.ts';
import { findForValidation, storedChecks, type ValidationRow } from './store.ts';
import { storeChecked } from './store-many.ts';
import { inTurns } from '../../platform/jobs/turns.ts';
import type { Validator } from './validate.ts';

/** Number of certificates that a thread judges in one batch, which takes about 100 ms. */
export const VALIDATION_BATCH_SIZE = 500;
/** Maximum number of concurrent validations that wait for external sources. */
const MAX_SINGLE_AT_ONCE = 16;

export interface ManyParts extends VerdictParts, EvaluatorParts {
  readonly platform: Platform;
  readonly settings: Pick<Settings, 'validationDefaults'>;
  readonly validator: Pick<Validator, 'validate' | 'afterChange'>;
}

export interface ManyOptions {
  readonly context: RequestContext;
  /** Whether OCSP responders are also queried about certificates that name CRLs. */
  readonly asksResponders: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Data for up to `VALIDATION_BATCH_SIZE` certificates. */
export interface ManyBatch {
  /** Requested certificates. */
  readonly uuids: readonly string[];
  readonly rows: readonly ValidationRow[];
}

export interface Batches {
  /** Reads the next batch; undefined after the last. */
  readonly next: () => Promise<ManyBatch | undefined>;
  /** Additional writes in the transaction that stores the verdicts. */
  readonly within?: (tx: Executor, batch: ManyBatch, outcome: { readonly changed: number }) => Promise<void>;
  /** Called after the commit of that transaction. */
  readonly written?: (batch: ManyBatch) => void;
}

export interface ManyOutcome {
  readonly changed: number;
  /** Certificates without a verdict, because validation is disabled or they no longer exist. */
  readonly undecided: readonly string[];
}

/** Results for a batch that have not been written yet. */
interface EvaluatedBatch {
  readonly batch: ManyBatch;
  readonly now: Date;
  readonly same: readonly BatchVerdict[];
  readonly others: readonly AssessedRow[];
  readonly undecided: readonly string[];
}

export type ValidateMany = ReturnType<typeof createValidateMany>;

export function createValidateMany(parts: ManyParts) {
  const { platform, validator } = parts;
  const { database, clock } = platform;
  const judge = createEvaluator(parts);

  async function evaluateRows({ uuids, rows }: ManyBatch, options: ManyOptions): Promise<EvaluatedBatch> {
    const now = clock.now();
    const defaults = await parts.settings.validationDefaults();
    const targets = rows.filter(
      (row) => row.der !== null && isTarget(row) && reasonToSkip(row, defaults) === undefined,
    );
    const authorities = targets.filter((row) => row.trusted_ca !== null).map(({ uuid }) => uuid);
    const ends = new Map(targets.filter((row) => row.trusted_ca === null).map((row) => [row.uuid, row]));
    const facts = { now, defaults, asksResponders: options.asksResponders };
    const answer = await judge.evaluateAll([...ends.values()], facts);
    const judged = answer.verdicts.flatMap((verdict) => {
      const row = ends.get(verdict.uuid);
      return row ? [{ row, verdict }] : [];
    });
    // Their issuer has only now become known; individual validation links them to it.
    const untied = judged.filter(({ row, verdict }) => isUnlinked(row, verdict)).map(({ row }) => row.uuid);
    const single = [...authorities, ...untied, ...answer.single];
    // These come first, because the transaction that stores the verdicts also marks the whole batch as done.
    await validateEach(single, parts, options);
    const tied = judged.filter(({ row, verdict }) => !isUnlinked(row, verdict));
    const decided = new Set([...single, ...judged.map(({ row }) => row.uuid)]);
    return {
      batch: { uuids, rows },
      now,
      same: tied.filter(({ row, verdict }) => isUnchanged(row, verdict)).map(({ verdict }) => verdict),
      others: tied.filter(({ row, verdict }) => !isUnchanged(row, verdict)).map(assessedOf),
      undecided: uuids.filter((uuid) => !decided.has(uuid)),
    };
  }

  async function write(
    { batch, now, same, others }: EvaluatedBatch,
    { context }: ManyOptions,
    within: Batches['within'],
  ): Promise<number> {
    const changed = await database.transaction(async (tx) => {
      await storeChecked(tx, same, now);
      const count = await recordManyVerdicts(tx, others, { parts, now, context });
      await within?.(tx, batch, { changed: count });
      return count;
    });
    if (changed > 0) validator.afterChange();
    return changed;
  }

  return {
    /**
     * Runs until there are no more batches or the signal is aborted. Unfinished batches are neither written nor
     * counted.
     */
    validateInTurns: ({ next, within, written }: Batches, options: ManyOptions): Promise<void> =>
      inTurns({
        signal: options.signal,
        read: next,
        work: (batch) => evaluateRows(batch, options),
        write: async (judged) => {
          await write(judged, options, within);
          written?.(judged.batch);
        },
      }),

    /** Accepts up to `VALIDATION_BATCH_SIZE` certificates. */
    async validateMany(uuids: readonly string[], options: ManyOptions): Promise<ManyOutcome> {
      const rows = await findForValidation(database.executor, uuids);
      const judged = await evaluateRows({ uuids, rows }, options);
      if (isAborted(options.signal)) return { changed: 0, undecided: [] };
      return { changed: await write(judged, options, undefined), undecided: judged.undecided };
    },

    stop: () => judge.stop(),
  };
}

/** Validates certificates individually, a few concurrently. */
async function validateEach(
  uuids: readonly string[],
  { platform, validator }: ManyParts,
  { context, signal }: ManyOptions,
): Promise<void> {
  const waiting = [...uuids];
  const lane = async (): Promise<void> => {
    while (!isAborted(signal)) {
      const uuid = waiting.shift();
      if (uuid === undefined) return;
      await validator.validate(uuid, context).catch((error: unknown) => {
        if (!isAppError(error, 'object_not_found')) platform.log.warn({ error }, 'cannot validate a certificate');
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_SINGLE_AT_ONCE, uuids.length) }, lane));
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false;

const isTarget = ({ state }: ValidationRow): boolean => state === 'issued' || state === 'revoked';

const isUnlinked = (row: ValidationRow, { issuerUuid }: BatchVerdict): boolean =>
  issuerUuid !== undefined && row.issuer_certificate_uuid === null;

const checksOf = ({ checks, isTrustMissing }: BatchVerdict): Readonly<Record<string, string>> => ({
  ...checks,
  ...(isTrustMissing ? { [TRUST_CHECK]: TRUST_MISSING } : {}),
});

/** Whether the verdict is unchanged except for its time. */
function isUnchanged(row: ValidationRow, verdict: BatchVerdict): boolean {
  if (row.validation_status !== verdict.status) return false;
  const [stored, checks] = [storedChecks(row), checksOf(verdict)];
  const names = Object.keys(checks);
  return names.length === Object.keys(stored).length && names.every((name) => stored[name] === checks[name]);
}

function assessedOf({ row, verdict }: { readonly row: ValidationRow; readonly verdict: BatchVerdict }): AssessedRow {
  const { status, message, dueAtMs, isTrustMissing } = verdict;
  const validationChecks = Object.fromEntries(
    Object.entries(verdict.checks).map(([check, each]) => [
      check,
      { validationCheck: check, status: each, message: '' },
    ]),
  ) as NonNullable<AssessedRow['result']['validationChecks']>; // Has one entry for each check in the verdict.
  return {
    row,
    result: { resultStatus: status, validationChecks, ...(message === undefined ? {} : { message }) },
    isTrustMissing,
    purposes: [], // Purposes are not stored.
    stated: undefined,
    issuerWanted: undefined,
    dueAt: dueAtMs === undefined ? undefined : new Date(dueAtMs),
    issuer: undefined,
  };
}

/** Returns a context without a user. */
export const backgroundContext = (signal?: AbortSignal): RequestContext => coreContext(newUuid(), signal);
