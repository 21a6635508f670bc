// Records a signed certificate in one transaction: content, state, relation, histories, audit and events, as well as
// the reservation if it was deferred. Concurrent results share a transaction.
import { createBatcher } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor, HotExecutor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditRecord, AuditTrail } from '../../audit/index.ts';
import {
  auditFacts,
  insertHistory,
  readCertificate,
  relationTypeOf,
  type CertificateWithContent,
  type HistoryEntry,
  type Issuer,
  type ReadCertificate,
} from '../../certificates/index.ts';
import type { IssuedResult } from './statement-parts.ts';
import { recordImmediate, recordIssued, type ImmediateIssue } from './store.ts';
import { describeNameChange } from './succession-names.ts';
import type { DeferredReservation } from '../operations/reservation.ts';
import type { IssuingWork } from '../operations/work.ts';

export interface Recording {
  readonly work: IssuingWork;
  readonly issued: ReadCertificate;
  readonly issuer: Issuer | undefined;
  readonly validationStatus: string;
  readonly metadata: readonly MetadataAttribute[];
}

export interface RecorderOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
}

/** Returns false if the operation had already been ended elsewhere. */
export type Recorder = (recording: Recording) => Promise<boolean>;

export function createRecorder({ platform, audit, attributes }: RecorderOptions): Recorder {
  const { database, clock, events } = platform;

  async function write(recordings: readonly Recording[]): Promise<readonly boolean[]> {
    const at = clock.now();
    const entries = recordings.map((recording) => entryOf(recording, at));
    // A single statement is its own transaction; most certificates need no additional rows.
    const ended = recordings.some(needsMore)
      ? await database.transaction(async (tx) => {
          const fresh = await writeEntries(tx, entries);
          await recordMore(tx, { recordings: recordings.filter(({ work }) => fresh.has(work.operationUuid)), at });
          return fresh;
        })
      : await writeEntries(database.hot, entries);
    events.wake();
    return recordings.map(({ work }) => ended.has(work.operationUuid));
  }

  const entryOf = (recording: Recording, at: Date): Entry => ({
    deferred: recording.work.deferred,
    result: resultOf(recording, at),
    audit: auditRecordOf(recording),
  });

  const needsMore = ({ work, metadata }: Recording): boolean => metadata.length > 0 || work.predecessor !== undefined;

  const auditRecordOf = ({ work, issued }: Recording): AuditRecord =>
    audit.record(work.context, {
      facts: auditFacts(work.kind),
      objects: [{ uuid: work.certificateUuid, name: issued.facts.common_name }],
      affiliated: { resource: 'raProfiles', objects: [{ uuid: work.profile.uuid, name: work.profile.name }] },
      data: { serialNumber: issued.facts.serial_number, fingerprint: issued.facts.fingerprint },
    });

  /** Records metadata and the history of predecessors. */
  async function recordMore(
    tx: Executor,
    { recordings, at }: { readonly recordings: readonly Recording[]; readonly at: Date },
  ): Promise<void> {
    await attributes.appendMetadata(
      tx,
      recordings.map(({ work, metadata }) => ({
        object: { resource: 'certificates', uuid: work.certificateUuid },
        connectorUuid: work.profile.connectorUuid,
        metadata,
      })),
    );
    for (const { work, issued } of recordings) {
      if (work.predecessor)
        await insertHistory(tx, successionEntries(work, issued, work.predecessor), { at, by: work.requester.name });
    }
  }

  return createBatcher({ write, scheduleFlush: database.hot.scheduleFlush });
}

interface Entry {
  readonly deferred: DeferredReservation | undefined;
  readonly result: IssuedResult;
  readonly audit: AuditRecord;
}

/** Returns the operations ended by this call. */
async function writeEntries(executor: HotExecutor, entries: readonly Entry[]): Promise<ReadonlySet<string>> {
  const atOnce = entries.flatMap(({ deferred, result, audit }): ImmediateIssue[] =>
    deferred
      ? [{ reservation: deferred.reservation, result, audit: { requested: deferred.audit, issued: audit } }]
      : [],
  );
  const reserved = entries.filter(({ deferred }) => !deferred);
  const [written, ended] = await Promise.all([
    atOnce.length === 0 ? NONE : recordImmediate(executor, atOnce),
    recordReserved(executor, reserved),
  ]);
  // Another worker has taken over the operation and reserved it in the meantime.
  const takenOver = entries.filter(({ deferred, result }) => deferred && !written.has(result.operationUuid));
  return new Set([...written, ...ended, ...(await recordReserved(executor, takenOver))]);
}

const NONE: ReadonlySet<string> = new Set();

const recordReserved = async (executor: HotExecutor, entries: readonly Entry[]): Promise<ReadonlySet<string>> =>
  entries.length === 0
    ? NONE
    : recordIssued(
        executor,
        entries.map(({ result }) => result),
        entries.map(({ audit }) => audit),
      );

function resultOf({ work, issued, issuer, validationStatus }: Recording, at: Date): IssuedResult {
  return {
    certificateUuid: work.certificateUuid,
    operationUuid: work.operationUuid,
    action: work.kind,
    facts: issued.facts,
    der: issued.certificate.der,
    issuerCertificateUuid: issuer?.row.uuid ?? null,
    issuerSerialNumber: issuer?.row.serial_number ?? null,
    validationStatus,
    relationType: work.predecessor
      ? relationTypeOf(work.predecessor, { ...issued.facts, issuer_serial_number: issuer?.row.serial_number ?? null })
      : null,
    history: {
      uuid: newUuid(),
      event: 'Issue Certificate',
      status: 'SUCCESS',
      message: `Issued${work.enrollment ? ` to the end entity ${work.enrollment.username}` : ''} with serial number ${issued.facts.serial_number}`,
      additional: null,
      created_at: at,
      created_by: work.requester.name,
    },
    at,
  };
}

/**
 * Records in the old certificate's history which certificate succeeds it. If the names differ, records the change in
 * both histories.
 */
function successionEntries(
  work: IssuingWork,
  { facts }: ReadCertificate,
  predecessor: CertificateWithContent,
): HistoryEntry[] {
  // The stored name uses codes that administrators defined.
  const before = { ...readCertificate(predecessor.der).facts, subject_dn: predecessor.subject_dn };
  const change = describeNameChange(before, facts);
  const event = work.kind === 'rekey' ? 'Rekey Certificate' : 'Renew Certificate';
  const note = change === '' ? '' : ` with different names: ${change}`;
  const ofPredecessor: HistoryEntry = {
    certificate_uuid: predecessor.uuid,
    event,
    status: 'SUCCESS',
    message: `Succeeded by certificate ${work.certificateUuid}${note}`,
    additional: { newCertificateUuid: work.certificateUuid, newSerialNumber: facts.serial_number },
  };
  const ofSuccessor: HistoryEntry = {
    certificate_uuid: work.certificateUuid,
    event,
    status: 'SUCCESS',
    message: `Succeeds certificate ${predecessor.uuid}${note}`,
  };
  return change === '' ? [ofPredecessor] : [ofPredecessor, ofSuccessor];
}
