// Settles operations whose outcome at the authority is unknown when their certificate appears. The authority is asked
// whether it issued this certificate under the RA profile; if the authority cannot be asked, its CA certificate
// decides.
import type { MetadataAttribute } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { isAppError } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { callFailureOf, type Connectors } from '../../connectors/index.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';
import {
  findCertificate,
  hostNamesOf,
  issuerKeyOf,
  withContent,
  type CertificateWithContent,
  type Issuer,
  type Issuers,
  type ReadCertificate,
} from '../../certificates/index.ts';
import { problemOfIssued, statusAtIssuance } from '../issuance/check-issued.ts';
import { createRecorder, type Recorder } from '../issuance/record.ts';
import { identifyCertificate } from '../operations/identify-certificate.ts';
import { requesterOf, type IssuingWork } from '../operations/work.ts';
import { findWaitingOperations, type WaitingOperation } from './store.ts';

/**
 * Authorities backdate certificates to allow for slow clocks; an older certificate with the same key is a previous one.
 */
const BACKDATING_MS = 48 * 3_600_000;

export interface AppearanceParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: Pick<RaProfiles, 'forUpkeep'>;
  readonly connectors: Pick<Connectors, 'client'>;
  readonly issuers: Issuers;
}

export type AppearanceSettler = ReturnType<typeof createAppearanceSettler>;

export function createAppearanceSettler(parts: AppearanceParts) {
  const { database } = parts.platform;
  const record = createRecorder(parts);
  return {
    /** Finds undecided operations that may have produced this certificate. */
    waitingFor: ({ facts }: ReadCertificate): Promise<WaitingOperation[]> =>
      findWaitingOperations(database.executor, {
        publicKeyFingerprint: facts.public_key_fingerprint,
        createdBefore: new Date(facts.not_before.getTime() + BACKDATING_MS),
      }),

    /** Moves the certificate into the object of the first operation that produced it; returns that object. */
    settle: (read: ReadCertificate, waiting: readonly WaitingOperation[], context: RequestContext) =>
      settle({ ...parts, record }, { read, waiting, context }),
  };
}

async function settle(
  parts: AppearanceParts & { readonly record: Recorder },
  facts: {
    readonly read: ReadCertificate;
    readonly waiting: readonly WaitingOperation[];
    readonly context: RequestContext;
  },
): Promise<string | undefined> {
  const { platform, raProfiles, issuers, record } = parts;
  const { read, waiting, context } = facts;
  const namedIssuers = await issuers.named(read.facts.issuer_dn_normalized, issuerKeyOf(read.certificate));
  const issuer = await issuers.of(read.certificate, read.facts.issuer_dn_normalized);
  const now = platform.clock.now();
  for (const operation of waiting) {
    const profile = await raProfiles.forUpkeep(operation.ra_profile_uuid);
    const attributes = [...(await attributesOf(parts, operation, profile)), ...profile.raProfileAttributes];
    const requiredNames = operation.protocol === 'acme' ? hostNamesOf(operation) : [];
    if (problemOfIssued(read, { request: operation, now, attributes, requiredNames, namedIssuers, issuer })) continue;
    const metadata = await identify(parts, profile, { read, issuer });
    if (!metadata) continue;
    const work = await workOf(platform.database.executor, operation, { profile, context });
    const validationStatus = statusAtIssuance(read, issuer, now);
    if (!(await record({ work, issued: read, issuer, validationStatus, metadata }))) continue;
    if (read.facts.trusted_ca !== null) issuers.forget();
    platform.metrics.certificateOperations.inc({ kind: work.kind, outcome: 'issued' });
    return operation.certificate_uuid;
  }
  return undefined;
}

const attributesOf = (
  { attributes }: AppearanceParts,
  { certificate_uuid: uuid }: WaitingOperation,
  { connectorUuid }: IssuingProfile,
) => attributes.readForConnector({ resource: 'certificates', uuid }, { connectorUuid, operation: 'issue' });

/**
 * Checks whether the authority of the profile issued it; returns the metadata that the connector expects back in later
 * calls.
 */
async function identify(
  { connectors }: AppearanceParts,
  profile: IssuingProfile,
  { read, issuer }: { readonly read: ReadCertificate; readonly issuer: Issuer | undefined },
): Promise<readonly MetadataAttribute[] | undefined> {
  try {
    return await identifyCertificate(connectors, { profile, der: read.certificate.der });
  } catch (error) {
    if (!isAppError(error)) throw error;
    const saysNo = error.code === 'object_not_found' || error.code === 'rejected_by_rules';
    if (saysNo && callFailureOf(error)?.kind !== 'notOffered') return undefined;
    const isOfTheAuthority = issuer !== undefined && issuer.row.uuid === profile.caCertificateUuid;
    return isOfTheAuthority ? [] : undefined;
  }
}

const workOf = async (
  executor: Executor,
  operation: WaitingOperation,
  { profile, context }: { readonly profile: IssuingProfile; readonly context: RequestContext },
): Promise<IssuingWork> => ({
  operationUuid: operation.uuid,
  certificateUuid: operation.certificate_uuid,
  kind: operation.kind,
  profile,
  request: operation,
  attributes: [],
  predecessor: await predecessorOf(executor, operation),
  requester: requesterOf(context),
  attempts: operation.attempts,
  context,
});

async function predecessorOf(
  executor: Executor,
  { predecessor_uuid: uuid }: WaitingOperation,
): Promise<CertificateWithContent | undefined> {
  const row = uuid === null ? undefined : await findCertificate(executor, uuid);
  return row && withContent(executor, row);
}
