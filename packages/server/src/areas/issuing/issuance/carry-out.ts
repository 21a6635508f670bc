// Carries out issuance: the only place that requests a certificate from an authority, for every caller (REST,
// protocols, the platform itself, the reconciler). Nothing is signed before the request is committed, and no
// transaction is open during the call.
import { authorityProviderOperations, MetadataAttribute, type OperationResponse } from '@signetry/contract';
import type { NameCodes } from '@signetry/pki';
import { AppError } from '../../../kernel/errors.ts';
import { isUniqueViolation } from '../../../platform/database/database-errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import { decodeReturnedCertificate, type Connectors } from '../../connectors/index.ts';
import {
  hostNamesOf,
  issuerKeyOf,
  readCertificate,
  type CompliancePort,
  type Issuers,
  type NameSource,
  type ReadCertificate,
} from '../../certificates/index.ts';
import { requestIssuance } from '../operations/legacy-calls.ts';
import { AUTHORITY_TIMEOUT_MS, type IssuingWork, type Outcome } from '../operations/work.ts';
import { problemOfIssued, statusAtIssuance } from './check-issued.ts';
import type { Recorder, Recording } from './record.ts';
import type { FailureSettler } from './settle-failure.ts';

type AuthorityResponse = Pick<
  OperationResponse<typeof authorityProviderOperations.issueCertificate>,
  'certificateData' | 'meta'
>;

export interface CarryOutParts {
  readonly platform: Platform;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly issuers: Issuers;
  readonly record: Recorder;
  readonly settle: FailureSettler;
  readonly names: NameSource;
  readonly compliance: Pick<CompliancePort, 'appliesTo' | 'problemOfRequest'>;
  /** Called after a CA certificate was issued: authorities with this key issue under it from now on. */
  readonly onCaIssued: (publicKeyFingerprint: string) => Promise<void>;
}

/** Requests the certificate from the authority, checks the response and records it. */
export async function carryOut(parts: CarryOutParts, work: IssuingWork): Promise<Outcome> {
  const { settle, issuers, platform } = parts;
  const committed = Promise.resolve(work.committed).then(() => platform.faultPoint('issue.afterIntent'));
  const [reserved, asked] = await Promise.allSettled([committed, evaluateAndRequest(parts, work, committed)]);
  if (reserved.status === 'rejected') throw reserved.reason;
  if (asked.status === 'rejected') return settle.afterError(work, asked.reason);
  if ('problem' in asked.value) return settle.reject(work, new AppError('certificate_operation', asked.value));
  const { answer } = asked.value;
  platform.faultPoint('issue.afterSignature');
  const { codes } = await parts.names();
  const read = readResponse(answer, work, codes);
  if ('error' in read) return settle.fail(work, read);
  const checked = await checkResponse(parts, work, { ...read, answer, codes });
  if ('error' in checked) return settle.fail(work, checked);
  const refused = await tryRecord(parts, checked);
  if (refused) return settle.fail(work, refused);
  platform.faultPoint('issue.afterRecord');
  const { certificate, facts } = read.issued;
  if (facts.trusted_ca !== null) {
    issuers.forget();
    await parts.onCaIssued(facts.public_key_fingerprint);
  }
  platform.metrics.certificateOperations.inc({ kind: work.kind, outcome: 'issued' });
  return { status: 'issued', der: certificate.der };
}

/**
 * Compliance rules run against the stored request before the authority is called, so that nothing they reject is
 * signed.
 */
async function evaluateAndRequest(
  parts: CarryOutParts,
  work: IssuingWork,
  committed: Promise<void>,
): Promise<{ readonly problem: string } | { readonly answer: AuthorityResponse }> {
  const { certificateUuid, profile, attempts } = work;
  // No rules apply if the reservation is deferred.
  if (!work.deferred && (await parts.compliance.appliesTo(profile.uuid))) {
    await committed;
    const problem = await parts.compliance.problemOfRequest({ certificateUuid, isRepeated: attempts > 1 });
    if (problem !== undefined) return { problem };
  }
  return { answer: await ask(parts, work, committed) };
}

async function ask(
  { connectors, attributes }: CarryOutParts,
  work: IssuingWork,
  committed: Promise<void>,
): Promise<AuthorityResponse> {
  const { profile, request, predecessor, enrollment } = work;
  if (enrollment) {
    await committed;
    return requestIssuance(connectors, work, enrollment);
  }
  const client = await connectors.client(profile.connectorUuid);
  const params = { uuid: profile.authorityConnectorUuid };
  const common = {
    request: Buffer.from(request.der).toString('base64'),
    format: request.format,
    raProfileAttributes: [...profile.raProfileAttributes],
  };
  const call = { idempotencyKey: work.operationUuid, timeoutMs: AUTHORITY_TIMEOUT_MS, committed };
  if (!predecessor) {
    const body = { ...common, attributes: [...work.attributes] };
    return client.call(authorityProviderOperations.issueCertificate, { params, body }, call);
  }
  const meta = await attributes.readMetadataForConnector(
    { resource: 'certificates', uuid: predecessor.uuid },
    profile.connectorUuid,
  );
  const body = { ...common, certificate: Buffer.from(predecessor.der).toString('base64'), meta };
  return client.call(authorityProviderOperations.renewCertificate, { params, body }, call);
}

/** Reason why the authority's result is rejected, and the data that it signed, which is stored as evidence. */
interface Rejection {
  readonly error: AppError;
  readonly received?: ReadCertificate;
}

/** Returns the certificate in a response, or the rejection if there is no readable one. */
function readResponse(
  answer: AuthorityResponse,
  work: IssuingWork,
  codes: NameCodes,
): { readonly issued: ReadCertificate } | Rejection {
  if (!answer.certificateData) return { error: invalidResponse(work, 'it returned no certificate') };
  try {
    return { issued: readCertificate(Buffer.from(decodeReturnedCertificate(answer.certificateData)), codes) };
  } catch (error) {
    // The readCertificate function throws AppErrors.
    return { error: invalidResponse(work, `it returned data that is not a certificate: ${(error as Error).message}`) };
  }
}

interface ParsedResponse {
  readonly issued: ReadCertificate;
  readonly answer: AuthorityResponse;
  readonly codes: NameCodes;
}

async function checkResponse(
  { issuers, platform }: CarryOutParts,
  work: IssuingWork,
  { issued, answer, codes }: ParsedResponse,
): Promise<Recording | Rejection> {
  const namedIssuers = await issuers.named(issued.facts.issuer_dn_normalized, issuerKeyOf(issued.certificate));
  const issuer = await issuers.of(issued.certificate, issued.facts.issuer_dn_normalized);
  const now = platform.clock.now();
  const { request, attributes, profile, enrollment } = work;
  const problem = problemOfIssued(issued, {
    // The certificate contains the end entity's names, which only the authority knows.
    request: enrollment ? { ...request, common_name: '' } : request,
    now,
    attributes: [...attributes, ...profile.raProfileAttributes],
    requiredNames: work.requiresAllNames ? hostNamesOf(request) : [],
    namedIssuers,
    issuer,
    codes,
  });
  if (problem) {
    const error = invalidResponse(work, `the certificate it issued was rejected: ${problem}`);
    return { error, received: issued };
  }
  const metadata = (answer.meta ?? []).map((item) => MetadataAttribute.parse(item));
  return { work, issued, issuer, validationStatus: statusAtIssuance(issued, issuer, now), metadata };
}

/**
 * Records the result. Relies on the inventory's unique keys: one object per certificate, and one use of a serial number
 * per issuer.
 */
async function tryRecord({ record }: CarryOutParts, recording: Recording): Promise<Rejection | undefined> {
  try {
    await record(recording);
    return undefined;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const known = 'the certificate it issued, or its serial number, is already in the inventory';
    return { error: invalidResponse(recording.work, known), received: recording.issued };
  }
}

const invalidResponse = (work: IssuingWork, problem: string) =>
  new AppError('connector_failed', { connector: work.profile.authorityName, problem });
