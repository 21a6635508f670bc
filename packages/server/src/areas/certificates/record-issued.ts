// Records a signed certificate: content, state, relation, histories, audit and events in one transaction. Concurrent
// results share a transaction.
import { createBatcher } from '@signetry/connector-sdk';
import type { MetadataAttribute } from '@signetry/contract';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Issuer } from './issuers.ts';
import type { ReadCertificate } from './read-certificate.ts';
import { insertHistory } from './store.ts';
import { recordIssued, type IssuedResult } from './store-operations.ts';
import type { IssuingWork } from './work.ts';

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

/** Answers false when the operation had been ended by somebody else before. */
export function createRecorder({
  platform,
  audit,
  attributes,
}: RecorderOptions): (recording: Recording) => Promise<boolean> {
  const { database, clock, events } = platform;

  async function write(recordings: readonly Recording[]): Promise<readonly boolean[]> {
    const at = clock.now();
    const ended = await database.transaction(async (tx) => {
      const ended = await recordIssued(
        tx,
        recordings.map((recording) => resultOf(recording, at)),
      );
      const fresh = recordings.filter(({ work }) => ended.has(work.operationUuid));
      await audit.insertMany(
        tx,
        fresh.map(({ work, issued }) =>
          audit.record(work.context, {
            facts: { module: 'certificates', resource: 'certificates', operation: work.kind },
            objects: [{ uuid: work.certificateUuid, name: issued.facts.common_name }],
            affiliated: { resource: 'raProfiles', objects: [{ uuid: work.profile.uuid, name: work.profile.name }] },
            data: { serialNumber: issued.facts.serial_number, fingerprint: issued.facts.fingerprint },
          }),
        ),
      );
      await attributes.appendMetadata(
        tx,
        fresh.map(({ work, metadata }) => ({
          object: { resource: 'certificates', uuid: work.certificateUuid },
          connectorUuid: work.profile.connectorUuid,
          metadata,
        })),
      );
      for (const recording of fresh) await recordTheRest(tx, recording, at);
      return ended;
    });
    if (events.hasSubscribers('certificate_issued')) events.wake();
    return recordings.map(({ work }) => ended.has(work.operationUuid));
  }

  /** Rows that most certificates do not need. */
  async function recordTheRest(tx: Executor, { work, issued }: Recording, at: Date): Promise<void> {
    if (work.predecessor) {
      await insertHistory(tx, {
        uuid: newUuid(),
        certificate_uuid: work.predecessor.uuid,
        event: work.kind === 'rekey' ? 'Rekey Certificate' : 'Renew Certificate',
        status: 'SUCCESS',
        message: `Succeeded by certificate ${work.certificateUuid}`,
        additional: { newCertificateUuid: work.certificateUuid, newSerialNumber: issued.facts.serial_number },
        created_at: at,
        created_by: work.requester.name,
      });
    }
    await events.append(tx, 'certificate_issued', {
      certificateUuid: work.certificateUuid,
      raProfileUuid: work.profile.uuid,
    });
  }

  return createBatcher({ write });
}

function resultOf({ work, issued, issuer, validationStatus }: Recording, at: Date): IssuedResult {
  return {
    certificateUuid: work.certificateUuid,
    operationUuid: work.operationUuid,
    facts: issued.facts,
    der: issued.certificate.der,
    issuerCertificateUuid: issuer?.row.uuid ?? null,
    issuerSerialNumber: issuer?.row.serial_number ?? null,
    validationStatus,
    relationType: relationType(work, issued, issuer),
    history: {
      uuid: newUuid(),
      event: 'Issue Certificate',
      status: 'SUCCESS',
      message: `Issued with serial number ${issued.facts.serial_number}`,
      additional: null,
      created_at: at,
      created_by: work.requester.name,
    },
    at,
  };
}

/** Same issuer and subject: renewal with the same key, rekey with another; otherwise a replacement. */
function relationType(
  { predecessor }: IssuingWork,
  { facts }: ReadCertificate,
  issuer: Issuer | undefined,
): string | null {
  if (!predecessor) return null;
  const sameNames =
    predecessor.issuerDnNormalized === facts.issuer_dn_normalized &&
    predecessor.subjectDnNormalized === facts.subject_dn_normalized;
  const sameIssuer = predecessor.issuerSerialNumber === (issuer?.row.serial_number ?? null);
  if (!sameNames || !sameIssuer) return 'replacement';
  return predecessor.publicKeyFingerprint === facts.public_key_fingerprint ? 'renewal' : 'rekey';
}
