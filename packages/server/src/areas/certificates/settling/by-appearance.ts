// Ends operations whose outcome at the authority is unknown by the appearance of their certificate. The authority itself is
// asked whether it issued this certificate under the RA profile; when it cannot be asked, its CA certificate decides.
import type { MetadataAttribute } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { isAppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';
import { instantsIn, problemOfIssued, statusAtIssuance } from '../issuing/check-issued.ts';
import { identifyCertificate } from '../operations/identify-certificate.ts';
import type { Issuer, Issuers } from '../core/issuers.ts';
import { requesterOf } from '../issuing/issue.ts';
import type { ReadCertificate } from '../core/read-certificate.ts';
import { createRecorder } from '../issuing/record.ts';
import * as store from '../core/store.ts';
import { findWaitingOperations, type WaitingOperation } from './store.ts';
import type { IssuingWork, Predecessor } from '../operations/work.ts';

/** Authorities date certificates back, against slow clocks; an older certificate with the same key is an earlier one. */
const BACKDATING_MS = 48 * 3_600_000;

export interface AppearanceOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: Pick<RaProfiles, 'forIssuingByUuid'>;
  readonly connectors: Pick<Connectors, 'client'>;
  readonly issuers: Issuers;
}

export type AppearanceSettler = ReturnType<typeof createAppearanceSettler>;

export function createAppearanceSettler(options: AppearanceOptions) {
  const { platform, attributes, raProfiles, connectors, issuers } = options;
  const { database, clock, metrics } = platform;
  const record = createRecorder(options);

  /** Undecided operations that this certificate may be the outcome of. */
  const waitingFor = (read: ReadCertificate): Promise<WaitingOperation[]> =>
    findWaitingOperations(database.executor, {
      publicKeyFingerprint: read.facts.public_key_fingerprint,
      createdBefore: new Date(read.facts.not_before.getTime() + BACKDATING_MS),
    });

  /** Moves the certificate into the object of the first operation that it is the outcome of; answers that object. */
  async function settle(
    read: ReadCertificate,
    waiting: readonly WaitingOperation[],
    context: RequestContext,
  ): Promise<string | undefined> {
    const namedIssuers = await issuers.named(read.facts.issuer_dn_normalized ?? '');
    const issuer = await issuers.of(read.certificate, read.facts.issuer_dn_normalized ?? '');
    const now = clock.now();
    for (const operation of waiting) {
      const { public_key_fingerprint: publicKeyFingerprint, common_name: commonName } = operation;
      const profile = await raProfiles.forIssuingByUuid(operation.ra_profile_uuid);
      const askedInstants = instantsIn(await attributesOf(operation, profile));
      const expected = { publicKeyFingerprint, commonName, now, askedInstants, namedIssuers, issuer };
      if (problemOfIssued(read, expected)) continue;
      const identity = await identify(profile, { read, issuer });
      if (!identity) continue;
      const work = await workOf(operation, { profile, context });
      const validationStatus = statusAtIssuance(read, issuer, now);
      if (!(await record({ work, issued: read, issuer, validationStatus, metadata: identity.metadata }))) continue;
      if (read.facts.trusted_ca !== null) issuers.forget();
      metrics.certificateOperations.inc({ kind: work.kind, outcome: 'issued' });
      return operation.certificate_uuid;
    }
    return undefined;
  }

  const attributesOf = ({ certificate_uuid: uuid }: WaitingOperation, { connectorUuid }: IssuingProfile) =>
    attributes.readForConnector({ resource: 'certificates', uuid }, { connectorUuid, operation: 'issue' });

  /** Did the authority of the profile issue it? Answers what the connector wants to be told about it again. */
  async function identify(
    profile: IssuingProfile,
    { read, issuer }: { readonly read: ReadCertificate; readonly issuer: Issuer | undefined },
  ): Promise<{ readonly metadata: readonly MetadataAttribute[] } | undefined> {
    try {
      return { metadata: await identifyCertificate(connectors, { profile, der: read.certificate.der }) };
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.code === 'object_not_found' || error.code === 'rejected_by_rules') return undefined;
      const isOfTheAuthority = issuer !== undefined && issuer.row.uuid === profile.caCertificateUuid;
      return isOfTheAuthority ? { metadata: [] } : undefined;
    }
  }

  async function workOf(
    operation: WaitingOperation,
    { profile, context }: { readonly profile: IssuingProfile; readonly context: RequestContext },
  ): Promise<IssuingWork> {
    return {
      operationUuid: operation.uuid,
      certificateUuid: operation.certificate_uuid,
      kind: operation.kind,
      profile,
      request: {
        der: operation.request_der,
        format: operation.request_format,
        publicKeyFingerprint: operation.public_key_fingerprint,
        commonName: operation.common_name,
      },
      attributes: [],
      predecessor: operation.predecessor_uuid === null ? undefined : await predecessorOf(operation.predecessor_uuid),
      requester: requesterOf(context),
      attempts: operation.attempts,
      context,
    };
  }

  async function predecessorOf(uuid: string): Promise<Predecessor | undefined> {
    const row = await store.findOne(database.executor, uuid);
    if (!row) return undefined;
    return {
      uuid,
      der: await store.contentOf(database.executor, row),
      publicKeyFingerprint: row.public_key_fingerprint,
      subjectDnNormalized: row.subject_dn_normalized,
      issuerDnNormalized: row.issuer_dn_normalized,
      issuerSerialNumber: row.issuer_serial_number,
    };
  }

  return { waitingFor, settle };
}
