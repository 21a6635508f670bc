// Bulk import: certificates are parsed in a worker thread, deduplicated by fingerprint and written in batches. Each
// batch is one transaction with history entries, an audit record and the job that links and validates the certificates.
// Existing certificates stay unchanged, so an interrupted import can simply be repeated.
import { Buffer } from 'node:buffer';
import {
  MAX_IMPORTED_CERTIFICATES,
  type CertificateImportReport,
  type CertificateImportRequest,
  type ImportRefusal,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { isAppError, problemsOf } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createWorkerPool } from '../../../platform/threads/worker-pool.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { auditFacts, callerName, type NameSource } from '../../certificates/index.ts';
import type { Validator } from '../../validation/index.ts';
import { createCompletion, type CompletionParts } from './complete-imported.ts';
import type { ImportTask, PreparedImport, PreparedSet } from './prepare-sets.ts';
import type { RejectedEntry } from './read-bundle.ts';
import * as store from './store.ts';

export interface BulkImportParts extends CompletionParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly names: NameSource;
  readonly validator: Pick<Validator, 'afterChange'>;
  /**
   * Imports a certificate that an undecided operation is waiting for; throws `already_exists` if it is in the
   * inventory.
   */
  readonly upload: (
    request: { readonly certificate: string; readonly customAttributes: [] },
    context: RequestContext,
  ) => Promise<unknown>;
}

export function createBulkImport(parts: BulkImportParts) {
  const { database, faultPoint } = parts.platform;
  const completion = createCompletion(parts);
  const threads = createWorkerPool<ImportTask, PreparedImport>({
    file: new URL('./import-thread.ts', import.meta.url),
    what: 'imports',
  });

  async function importMany(
    { files }: CertificateImportRequest,
    context: RequestContext,
  ): Promise<CertificateImportReport> {
    const awaitedKeys = await store.findAwaitedKeys(database.executor);
    const { codes } = await parts.names();
    const task = { files, maxCertificates: MAX_IMPORTED_CERTIFICATES, awaitedKeys, codes };
    const prepared = await threads.run(task);
    const outcome = { imported: 0, known: prepared.repeated };
    const refused = [...prepared.refused];
    for (const set of prepared.sets) {
      context.signal.throwIfAborted();
      const taken = await database.transaction((tx) =>
        importSet(tx, parts, { set, context, enqueueCompletion: completion.enqueue }),
      );
      faultPoint('certificates.afterImport');
      outcome.imported += taken.count;
      outcome.known += set.messages.size - taken.count - taken.refused.length;
      refused.push(...taken.refused);
    }
    const settled = await importAwaited(prepared.awaited, context);
    if (outcome.imported > 0) {
      parts.validator.afterChange();
      completion.wake();
    }
    const refusals = [...refused.map(presentRejection), ...settled.refusals].toSorted(inOrder);
    return {
      imported: outcome.imported + settled.imported,
      known: outcome.known + settled.known,
      refused: refusals.length,
      refusals,
      findings: [...prepared.findings],
    };
  }

  async function importAwaited(ders: readonly Uint8Array[], context: RequestContext) {
    const outcome = { imported: 0, known: 0, refusals: [] as ImportRefusal[] };
    for (const der of ders) {
      try {
        await parts.upload({ certificate: Buffer.from(der).toString('base64'), customAttributes: [] }, context);
        outcome.imported += 1;
      } catch (error) {
        if (isAppError(error, 'already_exists')) outcome.known += 1;
        else if (isAppError(error)) outcome.refusals.push({ file: 1, reason: problemsOf(error).join('; ') });
        else throw error;
      }
    }
    return outcome;
  }

  return { importMany, declare: completion.declare, complete: completion.complete, stop: threads.stop };
}

/** Imports a batch; returns the number of new certificates, and the certificates that cannot be written. */
async function importSet(
  tx: Executor,
  { platform, audit }: BulkImportParts,
  { set, context, enqueueCompletion }: {
    readonly set: PreparedSet;
    readonly context: RequestContext;
    readonly enqueueCompletion: (tx: Executor, uuids: readonly string[]) => Promise<void>;
  }, // prettier-ignore
): Promise<{ readonly count: number; readonly refused: readonly RejectedEntry[] }> {
  await store.stageContents(tx, set);
  const at = platform.clock.now();
  const { taken, refused: unfit } = await store.insertSet(tx, set, at);
  const refused = [...unfit].map(([fingerprint, reason]) => ({
    place: set.origins.get(fingerprint) ?? { file: 1 },
    reason,
  }));
  if (taken.length === 0) return { count: 0, refused };
  const uuids = taken.map(({ uuid }) => uuid);
  const messages = new Map(uuids.map((uuid) => [uuid, set.messages.get(uuid) ?? '']));
  await store.appendHistories(tx, messages, { event: 'Upload Certificate', at, by: callerName(context) });
  await enqueueCompletion(tx, uuids);
  await audit.append(tx, context, {
    facts: auditFacts('upload'),
    objects: taken.map(({ uuid, common_name }) => ({ uuid, name: common_name })),
    data: { imported: taken.length },
  });
  return { count: taken.length, refused };
}

const presentRejection = ({ place, reason }: RejectedEntry): ImportRefusal => ({ ...place, reason });

const inOrder = (a: ImportRefusal, b: ImportRefusal): number =>
  a.file - b.file || (a.certificate ?? 0) - (b.certificate ?? 0);
