// Carries out issuing work: the one place that asks an authority for a certificate, for every caller (REST, protocols,
// the platform itself, the reconciler). The intent is committed before this runs; no transaction is open meanwhile.
import { authorityProviderOperations, MetadataAttribute, type OperationAnswer } from '@signetry/contract';
import { AppError } from '../../../kernel/errors.ts';
import { isUniqueViolation } from '../../../platform/database/database-errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import { instantsIn, problemOfIssued, statusAtIssuance } from './check-issued.ts';
import type { Issuers } from '../core/issuers.ts';
import { readCertificate, type ReadCertificate } from '../core/read-certificate.ts';
import { createRecorder } from './record.ts';
import { createFailureSettler } from './settle-failure.ts';
import { AUTHORITY_TIMEOUT_MS, type IssuingWork, type Outcome } from '../operations/work.ts';

type IssueAnswer = OperationAnswer<typeof authorityProviderOperations.issueCertificate>;

export interface CarryOutOptions {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly connectors: Connectors;
  readonly issuers: Issuers;
  /** Authorities whose key got a new certificate issue with it from now on. */
  readonly onCaIssued: (publicKeyFingerprint: string) => Promise<void>;
}

export function createIssuingWorker(options: CarryOutOptions): (work: IssuingWork) => Promise<Outcome> {
  const { platform, attributes, connectors, issuers } = options;
  const { clock, metrics, faultPoint } = platform;
  const record = createRecorder(options);
  const settle = createFailureSettler(options);

  return async function carryOut(work) {
    faultPoint('issue.afterIntent');
    let answer: IssueAnswer;
    try {
      answer = await ask(work);
    } catch (error) {
      return settle.afterError(work, error);
    }
    faultPoint('issue.afterSignature');
    const received = readAnswer(answer, work);
    if ('error' in received) return settle.fail(work, received);
    const { issued } = received;
    const namedIssuers = await issuers.named(issued.facts.issuer_dn_normalized ?? '');
    const issuer = await issuers.of(issued.certificate, issued.facts.issuer_dn_normalized ?? '');
    const now = clock.now();
    const askedInstants = instantsIn(work.attributes);
    const problem = problemOfIssued(issued, { ...work.request, now, askedInstants, namedIssuers, issuer });
    if (problem)
      return settle.fail(work, {
        error: wrongAnswer(work, `the certificate it issued is refused: ${problem}`),
        received: issued,
      });
    const metadata = (answer.meta ?? []).map((item) => MetadataAttribute.parse(item));
    try {
      await record({ work, issued, issuer, validationStatus: statusAtIssuance(issued, issuer, now), metadata });
    } catch (error) {
      // The unique keys of the inventory decide: one object per certificate, one use of a serial number per issuer.
      if (!isUniqueViolation(error)) throw error;
      const known = 'the certificate it issued, or its serial number, is already in the inventory';
      return settle.fail(work, { error: wrongAnswer(work, known), received: issued });
    }
    faultPoint('issue.afterRecord');
    if (issued.facts.trusted_ca !== null) {
      issuers.forget();
      await options.onCaIssued(issued.facts.public_key_fingerprint);
    }
    metrics.certificateOperations.inc({ kind: work.kind, outcome: 'issued' });
    return { status: 'issued', der: issued.certificate.der };
  };

  async function ask(work: IssuingWork): Promise<IssueAnswer> {
    const { profile, request, predecessor } = work;
    const client = await connectors.client(profile.connectorUuid);
    const params = { uuid: profile.authorityConnectorUuid };
    const common = {
      request: Buffer.from(request.der).toString('base64'),
      format: request.format,
      raProfileAttributes: [...profile.raProfileAttributes],
    };
    const facts = { idempotencyKey: work.operationUuid, timeoutMs: AUTHORITY_TIMEOUT_MS };
    if (!predecessor) {
      const body = { ...common, attributes: [...work.attributes] };
      return client.call(authorityProviderOperations.issueCertificate, { params, body }, facts);
    }
    const meta = await attributes.readMetadataForConnector(
      { resource: 'certificates', uuid: predecessor.uuid },
      profile.connectorUuid,
    );
    const body = { ...common, certificate: Buffer.from(predecessor.der).toString('base64'), meta };
    return client.call(authorityProviderOperations.renewCertificate, { params, body }, facts);
  }
}

/** The certificate of an answer, or the refusal when there is none that can be read. */
function readAnswer(answer: IssueAnswer, work: IssuingWork): { issued: ReadCertificate } | { error: AppError } {
  if (!answer.certificateData) return { error: wrongAnswer(work, 'it answered without a certificate') };
  try {
    return { issued: readCertificate(Buffer.from(answer.certificateData, 'base64')) };
  } catch (error) {
    return { error: wrongAnswer(work, `it answered something that is not a certificate: ${(error as Error).message}`) }; // readCertificate throws AppErrors
  }
}

const wrongAnswer = (work: IssuingWork, problem: string) =>
  new AppError('connector_failed', { connector: work.profile.authorityName, problem });
