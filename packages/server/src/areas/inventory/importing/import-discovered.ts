// Imports certificates found by discoveries. Certificates already in the inventory are recognized by fingerprint and
// not parsed again. The others are parsed in a worker thread. They are written in the discovery's transaction, which
// also updates the discovery's counts, together with history entries, an audit record and the job that links and
// validates them.
import { Buffer } from 'node:buffer';
import type { RequestContext } from '../../../kernel/actor.ts';
import { isAppError, problemsOf } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { createWorkerPool } from '../../../platform/threads/worker-pool.ts';
import { auditFacts, callerName, sha256Hex } from '../../certificates/index.ts';
import { createCompletion } from './complete-imported.ts';
import { deleteCertificates, lockForDeletion } from '../bulk/store-deletion.ts';
import type { BulkImportParts } from './import-certificates.ts';
import type { DiscoveredOutcome, DiscoveredTask, PreparedDiscovered } from './prepare-discovered.ts';
import type { PreparedSet } from './prepare-sets.ts';
import * as store from './store.ts';

export type { DiscoveredOutcome } from './prepare-discovered.ts';

/** Parsed results, and the new certificates that they contain. */
export interface ReadDiscovered {
  /** In the order of the results. */
  readonly outcomes: readonly DiscoveredOutcome[];
  readonly set?: PreparedSet;
}

export interface ImportedCertificate {
  readonly uuid: string;
  /** Whether the certificate was not in the inventory. */
  readonly isNew: boolean;
  /** Whether the certificate is new but is not kept in the inventory. */
  readonly isLeftOut: boolean;
}

/** A certificate that the inventory cannot store. */
interface RejectedCertificate {
  readonly reason: string;
}

export interface DiscoveredCertificates {
  /**
   * Parses results. Each is one certificate as Base64-encoded DER or PEM. Pass at most as many as fit into one
   * transaction: a few thousand.
   */
  read(contents: readonly string[], context: RequestContext): Promise<ReadDiscovered>;
  /** Runs in the caller's transaction. Returns each certificate by fingerprint, or why it cannot be written. */
  take(
    tx: Executor,
    read: ReadDiscovered,
    how: {
      readonly context: RequestContext;
      /** Message for the history. */
      readonly message: string;
      /**
       * Returns the new certificates that are not kept: they get no history entry, and the caller removes them with
       * `letGo`.
       */
      readonly leavingOut: (tx: Executor, fresh: ReadonlyMap<string, string>) => Promise<ReadonlySet<string>>;
    },
  ): Promise<ReadonlyMap<string, ImportedCertificate | RejectedCertificate>>;
  /** Removes certificates that were imported in the same transaction; their contents stay with the discovery. */
  letGo(tx: Executor, uuids: readonly string[]): Promise<void>;
  /** Call it after the commit if there were new certificates. */
  taken(): void;
  stop(): Promise<void>;
}

export function createDiscoveredCertificates(parts: BulkImportParts): DiscoveredCertificates {
  const { database } = parts.platform;
  const completion = createCompletion(parts);
  const threads = createWorkerPool<DiscoveredTask, PreparedDiscovered>({
    file: new URL('./discovered-thread.ts', import.meta.url),
    what: 'discovered certificates',
  });

  async function read(contents: readonly string[], context: RequestContext): Promise<ReadDiscovered> {
    const fingerprints = contents.map((content) => sha256Hex(Buffer.from(content, 'base64')));
    const known = await store.findKnown(database.executor, [...new Set(fingerprints)]);
    const isKnown = new Set(known.map(({ fingerprint }) => fingerprint));
    const unknown = contents.filter((_, index) => !isKnown.has(fingerprints[index] ?? ''));
    if (unknown.length === 0) return { outcomes: fingerprints.map((fingerprint) => ({ fingerprint })) };
    const { codes } = await parts.names();
    const awaitedKeys = await store.findAwaitedKeys(database.executor);
    const prepared = await threads.run({ contents: unknown, awaitedKeys, codes });
    const refused = await importAwaited(prepared.awaited, context);
    const rest = prepared.outcomes.map((outcome) => refused.get(fingerprintOf(outcome)) ?? outcome)[Symbol.iterator]();
    const outcomes = fingerprints.flatMap((fingerprint) => (isKnown.has(fingerprint) ? { fingerprint } : nextOf(rest)));
    return { outcomes, ...(prepared.set && { set: prepared.set }) };
  }

  /** Imports certificates that resolve the undecided operations waiting for them. Returns the rejected certificates. */
  async function importAwaited(
    ders: readonly Uint8Array[],
    context: RequestContext,
  ): Promise<ReadonlyMap<string, { readonly reason: string }>> {
    const refused = new Map<string, { readonly reason: string }>();
    for (const der of ders) {
      try {
        await parts.upload({ certificate: Buffer.from(der).toString('base64'), customAttributes: [] }, context);
      } catch (error) {
        if (!isAppError(error)) throw error;
        if (!isAppError(error, 'already_exists')) refused.set(sha256Hex(der), { reason: problemsOf(error).join('; ') });
      }
    }
    return refused;
  }

  return {
    read,
    take: (tx, found, how) => importDiscovered(tx, parts, { found, ...how, enqueueCompletion: completion.enqueue }),
    letGo: async (tx, uuids) => {
      if (uuids.length > 0) await deleteCertificates(tx, await lockForDeletion(tx, uuids));
    },
    taken: () => {
      parts.validator.afterChange();
      completion.wake();
    },
    stop: threads.stop,
  };
}

const fingerprintOf = (outcome: DiscoveredOutcome): string => ('fingerprint' in outcome ? outcome.fingerprint : '');

function nextOf<Value>(values: Iterator<Value>): Value[] {
  const { done, value } = values.next();
  return done === true ? [] : [value];
}

interface ImportSpec {
  readonly found: ReadDiscovered;
  readonly context: RequestContext;
  readonly message: string;
  readonly leavingOut: Parameters<DiscoveredCertificates['take']>[2]['leavingOut'];
  readonly enqueueCompletion: (tx: Executor, uuids: readonly string[]) => Promise<void>;
}

async function importDiscovered(
  tx: Executor,
  { platform, audit }: BulkImportParts,
  { found: { outcomes, set }, context, message, leavingOut, enqueueCompletion }: ImportSpec,
): Promise<ReadonlyMap<string, ImportedCertificate | RejectedCertificate>> {
  const at = platform.clock.now();
  let fresh: readonly store.ImportedRow[] = [];
  let leftOut: ReadonlySet<string> = new Set();
  let refused: ReadonlyMap<string, string> = new Map();
  if (set) {
    await store.stageContents(tx, set);
    const written = await store.insertSet(tx, set, at);
    const inserted = written.taken;
    refused = written.refused;
    leftOut = await leavingOut(tx, new Map(inserted.map(({ uuid, fingerprint }) => [uuid, fingerprint])));
    fresh = inserted.filter(({ uuid }) => !leftOut.has(uuid));
  }
  if (fresh.length > 0) {
    const uuids = fresh.map(({ uuid }) => uuid);
    const event = 'Certificate Discovered' as const;
    await store.appendHistories(tx, new Map(uuids.map((uuid) => [uuid, message])), {
      event,
      at,
      by: callerName(context),
    });
    await enqueueCompletion(tx, uuids);
    await audit.append(tx, context, {
      facts: auditFacts('create'),
      objects: fresh.map(({ uuid, common_name }) => ({ uuid, name: common_name })),
      data: { discovered: uuids.length },
    });
  }
  const fingerprints = new Set(outcomes.map(fingerprintOf).filter((each) => each !== '' && !refused.has(each)));
  const isNew = new Set(fresh.map(({ uuid }) => uuid));
  const rows = await store.findKnown(tx, [...fingerprints]);
  if (rows.length < fingerprints.size)
    throw new Error(
      'A certificate was deleted from the inventory while it was being rediscovered; its page will be read again.',
    );
  const answers = new Map<string, ImportedCertificate | RejectedCertificate>(
    rows.map(({ uuid, fingerprint }) => [
      fingerprint,
      { uuid, isNew: isNew.has(uuid) || leftOut.has(uuid), isLeftOut: leftOut.has(uuid) },
    ]),
  );
  for (const [fingerprint, reason] of refused) answers.set(fingerprint, { reason });
  return answers;
}
