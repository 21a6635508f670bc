// Validates many certificates at once: worker threads reach the verdicts, with authorities and CRLs shared, and what is
// as it was costs one narrow row. Whatever needs more, a responder, an issuer from outside, is validated one by one.
import { parseCertificate } from '@signetry/pki';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { isAppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createWorkerPool } from '../../../platform/threads/worker-pool.ts';
import type { Settings, ValidationDefaults } from '../../settings/index.ts';
import type { Issuers } from '../core/issuers.ts';
import { findProfilesOfCaCertificates } from '../core/store-ca.ts';
import { MISSING, TRUST } from '../core/trust.ts';
import { isSameAuthority, thresholdOf, whyNot, type Assessed } from './assess-chain.ts';
import { gatherIssuers } from './gather-issuers.ts';
import type { CrlSource } from './crl-source.ts';
import { recordVerdicts, type VerdictParts } from './record-verdicts.ts';
import { findForValidation, type ValidationRow } from './store.ts';
import type { Validator } from './validate.ts';
import type { Batch, BatchAnswer, BatchCrl, BatchMember, BatchTarget, BatchVerdict } from './judge-batch.ts';
import { storeChecked } from './store-many.ts';

/** Certificates that a thread judges at once: some 100 ms. */
export const BATCH_SIZE = 500;
/** Those that wait for somebody outside. */
const MAX_SINGLE_AT_ONCE = 16;

export interface ManyParts extends VerdictParts {
  readonly platform: Platform;
  readonly issuers: Pick<Issuers, 'named'>;
  readonly settings: Pick<Settings, 'validationDefaults'>;
  readonly validator: Pick<Validator, 'validate' | 'afterChange'>;
  readonly crls: CrlSource;
}

export interface ManyOptions {
  readonly context: RequestContext;
  /** Whether OCSP responders are asked also about certificates that name CRLs. */
  readonly asksResponders: boolean;
  readonly signal?: AbortSignal | undefined;
  /** What belongs into the transaction that writes the verdicts. */
  readonly within?: (tx: Executor, outcome: { readonly changed: number }) => Promise<void>;
}

export interface ManyOutcome {
  readonly changed: number;
  /** Certificates about which nothing was decided: validation is switched off, or they are gone. */
  readonly undecided: readonly string[];
}

export type ValidateMany = ReturnType<typeof createValidateMany>;

export function createValidateMany(parts: ManyParts) {
  const { platform, validator } = parts;
  const { database, clock } = platform;
  const judge = createJudge(parts);

  /** Up to `BATCH_SIZE` certificates. */
  async function validateMany(uuids: readonly string[], options: ManyOptions): Promise<ManyOutcome> {
    const now = clock.now();
    const defaults = await parts.settings.validationDefaults();
    const rows = await findForValidation(database.executor, uuids);
    const targets = rows.filter((row) => row.der !== null && isTarget(row) && whyNot(row, defaults) === undefined);
    const authorities = targets.filter((row) => row.trusted_ca !== null).map(({ uuid }) => uuid);
    const ends = targets.filter((row) => row.trusted_ca === null);
    const answer = await judge.judgeAll(ends, { now, defaults, asksResponders: options.asksResponders });
    // Who issued it is new: the one validation links them.
    const linked = new Set(ends.filter((row) => row.issuer_certificate_uuid !== null).map(({ uuid }) => uuid));
    const isUntied = ({ uuid, issuerUuid }: BatchVerdict): boolean => issuerUuid !== undefined && !linked.has(uuid);
    const untied = answer.verdicts.filter(isUntied).map(({ uuid }) => uuid);
    const verdicts = answer.verdicts.filter((verdict) => !isUntied(verdict));
    const single = [...authorities, ...untied, ...answer.single];
    // Before the rest: what comes with the verdicts in their transaction says that the whole batch is done.
    await validateEach(single, parts, options);
    if (options.signal?.aborted) return { changed: 0, undecided: [] };
    const changed = await record(verdicts, { rows: ends, now, options });
    const decided = new Set([...single, ...answer.verdicts.map(({ uuid }) => uuid)]);
    return { changed, undecided: uuids.filter((uuid) => !decided.has(uuid)) };
  }

  async function record(
    verdicts: readonly BatchVerdict[],
    {
      rows,
      now,
      options,
    }: { readonly rows: readonly ValidationRow[]; readonly now: Date; readonly options: ManyOptions },
  ): Promise<number> {
    const byUuid = new Map(rows.map((row) => [row.uuid, row]));
    const assessed = verdicts.flatMap((verdict) => {
      const row = byUuid.get(verdict.uuid);
      return row ? [{ row, verdict }] : [];
    });
    const isSame = ({ row, verdict }: (typeof assessed)[number]): boolean => isAsStored(row, verdict);
    const others = assessed.filter((each) => !isSame(each)).map(assessedOf);
    const occasion = { parts, now, context: options.context };
    const changed = others.filter(({ row, result }) => row.validation_status !== result.resultStatus).length;
    await database.transaction(async (tx) => {
      await storeChecked(tx, assessed.filter(isSame).map(({ verdict }) => verdict), now); // prettier-ignore
      // One order for everybody: what writes the same rows must not wait for each other.
      for (const each of others.toSorted((a, b) => (a.row.uuid < b.row.uuid ? -1 : 1)))
        await recordVerdicts(tx, [each], occasion);
      await options.within?.(tx, { changed });
    });
    if (changed > 0) validator.afterChange();
    return changed;
  }

  return { validateMany, stop: () => judge.stop() };
}

interface Facts {
  readonly now: Date;
  readonly defaults: ValidationDefaults;
  readonly asksResponders: boolean;
}

/** Verdicts of the worker threads, with the CRLs that they ask for. */
function createJudge(parts: ManyParts) {
  const { crls } = parts;
  const workers = createWorkerPool<Batch, BatchAnswer>({
    file: new URL('./batch-thread.ts', import.meta.url),
    what: 'validations',
    timeoutMs: 120_000,
  });
  const crlIds = new WeakMap<object, number>();
  let lastCrlId = 0;

  async function judgeAll(rows: readonly ValidationRow[], facts: Facts): Promise<Omit<BatchAnswer, 'missing'>> {
    const { targets, pools } = await gather(rows, facts.defaults, parts);
    const batch = { pools, nowMs: facts.now.getTime(), asksResponders: facts.asksResponders };
    const known = new Map<string, BatchCrl>();
    const verdicts: BatchVerdict[] = [];
    const single: string[] = [];
    let left: readonly BatchTarget[] = targets;
    while (left.length > 0) {
      const answer = await workers.run({ ...batch, targets: left, crls: [...known.values()] });
      verdicts.push(...answer.verdicts);
      single.push(...answer.single);
      const urls = [...new Set(answer.missing.flatMap((each) => each.urls))];
      for (const crl of await Promise.all(urls.map(crlAt))) known.set(crl.url, crl);
      const again = new Set(answer.missing.map(({ uuid }) => uuid));
      left = left.filter(({ uuid }) => again.has(uuid));
    }
    return { verdicts, single };
  }

  async function crlAt(url: string): Promise<BatchCrl> {
    const outcome = await crls.at(url);
    if ('problem' in outcome) return { url, problem: outcome.problem };
    const { crl, tables } = outcome.list;
    const id = crlIds.get(crl) ?? ++lastCrlId;
    crlIds.set(crl, id);
    return { url, list: { id, der: crl.der, tables } };
  }

  return { judgeAll, stop: () => workers.stop() };
}

/** One by one, a few of them at a time. */
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
        if (!isAppError(error, 'object_not_found'))
          platform.log.warn({ error }, 'a certificate could not be validated');
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_SINGLE_AT_ONCE, uuids.length) }, lane));
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false;

const isTarget = ({ state }: ValidationRow): boolean => state === 'issued' || state === 'revoked';

/** The certificates as threads get them, and what may stand above those that name one issuer. */
async function gather(
  rows: readonly ValidationRow[],
  defaults: ValidationDefaults,
  { issuers, platform }: Pick<ManyParts, 'issuers' | 'platform'>,
): Promise<{ targets: BatchTarget[]; pools: BatchMember[][] }> {
  const pools = new Map<string, { readonly index: number; readonly members: BatchMember[] }>();
  const targets: BatchTarget[] = [];
  for (const row of rows) {
    const { der, issuer_dn_normalized: issuerName } = row;
    if (der === null) continue;
    let pool = pools.get(issuerName ?? '');
    if (!pool) {
      pool = { index: pools.size, members: await poolOf(der, { issuers, platform }) };
      pools.set(issuerName ?? '', pool);
    }
    targets.push({
      uuid: row.uuid,
      der,
      trustedCa: row.trusted_ca,
      state: row.state === 'revoked' ? 'revoked' : 'issued',
      revokedAtMs: row.revoked_at?.getTime(),
      revocationReason: row.revocation_reason,
      expiringThresholdDays: thresholdOf(row, defaults),
      pool: pool.index,
      ocspStatus: storedChecks(row)['ocsp_verification'],
    });
  }
  return { targets, pools: [...pools.values()].map(({ members }) => members) };
}

async function poolOf(
  der: Uint8Array,
  { issuers, platform }: Pick<ManyParts, 'issuers' | 'platform'>,
): Promise<BatchMember[]> {
  const gathered = await gatherIssuers(parseCertificate(der), issuers);
  const uuids = gathered.map(({ row }) => row.uuid);
  const profiles = await findProfilesOfCaCertificates(platform.database.executor, uuids);
  const used = new Set(profiles.map((profile) => profile.ca_certificate_uuid));
  const ours = gathered.filter(({ row }) => used.has(row.uuid));
  return gathered.map(({ row, certificate }) => ({
    uuid: row.uuid,
    der: certificate.der,
    trustedCa: row.trusted_ca,
    isRevoked: row.state === 'revoked',
    isOurs: ours.some((each) => isSameAuthority(each.certificate, certificate)),
  }));
}

const storedChecks = ({ validation_result: stored }: ValidationRow): Readonly<Record<string, string>> =>
  (stored ?? {}) as Record<string, string>; // written by storeValidation

const checksOf = ({ checks, isTrustMissing }: BatchVerdict): Readonly<Record<string, string>> => ({
  ...checks,
  ...(isTrustMissing ? { [TRUST]: MISSING } : {}),
});

/** Whether nothing but the time of the verdict is new. */
function isAsStored(row: ValidationRow, verdict: BatchVerdict): boolean {
  if (row.validation_status !== verdict.status) return false;
  const [stored, checks] = [storedChecks(row), checksOf(verdict)];
  const names = Object.keys(checks);
  return names.length === Object.keys(stored).length && names.every((name) => stored[name] === checks[name]);
}

function assessedOf({ row, verdict }: { readonly row: ValidationRow; readonly verdict: BatchVerdict }): Assessed {
  const { status, message, dueAtMs, isTrustMissing } = verdict;
  const validationChecks = Object.fromEntries(
    Object.entries(verdict.checks).map(([check, each]) => [
      check,
      { validationCheck: check, status: each, message: '' },
    ]),
  ) as NonNullable<Assessed['result']['validationChecks']>; // one entry for each check of the verdict
  return {
    row,
    result: { resultStatus: status, validationChecks, ...(message === undefined ? {} : { message }) },
    isTrustMissing,
    issuerWanted: undefined,
    dueAt: dueAtMs === undefined ? undefined : new Date(dueAtMs),
    issuer: undefined,
  };
}

/** Nobody in particular asks. */
export const backgroundContext = (signal?: AbortSignal): RequestContext => coreContext(newUuid(), signal);
