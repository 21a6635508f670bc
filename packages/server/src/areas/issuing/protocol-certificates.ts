// Certificate operations for protocol servers: request, look up, revoke. Protocol servers translate their messages.
// Issuance decisions are made here, on the same path as for every other caller.
import { createBatcher } from '@signetry/connector-sdk';
import type { CertificateRevocationReason, RequestAttributeDto } from '@signetry/contract';
import { parsePublicKey, writePem } from '@signetry/pki';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { requirePermission } from '../identity/index.ts';
import { awaitingApprovalError } from './approving/approval-needed.ts';
import type { Association } from './issuance/check.ts';
import type { Issuance } from './issuance/issuance.ts';
import type { CertificateRenewer } from './issuance/renew.ts';
import {
  findCertificate,
  findCertificateByFingerprint,
  findCertificateRequest,
  findRequestedCertificates,
  findCertificatesBySerialNumber,
  findCertificatesByUuids,
  findIssuerNamesUnder,
  isCompromised,
  readCrmf,
  readRequest,
  rejectListedKey,
  sha256Hex,
  type RequestedCertificateRow,
  type NameSource,
  type RequestFacts,
  type WeakKeyLists,
} from '../certificates/index.ts';
import type { CertificateRevoker } from './revoking/revoke.ts';
import type { Outcome } from './operations/work.ts';

export interface ProtocolIssueInput {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  readonly request: RequestFacts;
  readonly attributes: readonly RequestAttributeDto[];
  readonly association: Association;
  /** The certificate to be succeeded: it is renewed if the request is for the same key, otherwise rekeyed. */
  readonly predecessorUuid?: string | undefined;
}

export interface ProtocolRevokeInput {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
  readonly certificateUuid: string;
  readonly reason: CertificateRevocationReason;
  readonly attributes: readonly RequestAttributeDto[];
}

/** `problem` explains why nothing was issued. A `revoked` certificate had been issued earlier. */
export type ProtocolOutcome =
  | { readonly status: 'issued' | 'revoked'; readonly der: Uint8Array }
  | { readonly status: 'refused'; readonly problem: string }
  | { readonly status: 'waiting' };

function outcomeOf({ state, der, problem }: RequestedCertificateRow): ProtocolOutcome {
  if (der) return { status: state === 'revoked' ? 'revoked' : 'issued', der };
  if (state === 'rejected') return { status: 'refused', problem: problem ?? 'The request was rejected.' };
  if (state === 'failed') return { status: 'refused', problem: problem ?? 'The certificate could not be issued.' };
  return { status: 'waiting' };
}

export type ProtocolCertificates = ReturnType<typeof createProtocolCertificates>;

export function createProtocolCertificates(options: {
  readonly platform: Platform;
  readonly issuance: Issuance;
  readonly renewer: Pick<CertificateRenewer, 'succeedWith'>;
  readonly revoker: CertificateRevoker;
  readonly weakKeys: WeakKeyLists;
  readonly names: NameSource;
}) {
  const { issuance, renewer, revoker, weakKeys } = options;
  const { executor, hot, relaxed } = options.platform.database;
  const findAskedFor = createBatcher({
    scheduleFlush: relaxed.scheduleFlush,
    write: (uuids: readonly string[]) => findRequestedCertificates(relaxed, uuids),
  });

  return {
    /**
     * Reads a PKCS #10 request in DER; rejects (`invalid_fields`, `rejected_by_rules`) malformed requests, missing
     * proof of possession, and weak keys.
     */
    async readRequest(der: Uint8Array): Promise<RequestFacts> {
      const { codes } = await options.names();
      const request = readRequest(writePem('CERTIFICATE REQUEST', der), 'pkcs10', codes);
      rejectListedKey(weakKeys, request);
      return request;
    },

    /**
     * Reads a CRMF request whose proof of possession was verified or vouched for. Rejects the same problems as
     * `readRequest`.
     */
    async readCrmf(der: Uint8Array): Promise<RequestFacts> {
      const { codes } = await options.names();
      const request = readCrmf(der, codes);
      rejectListedKey(weakKeys, request);
      return request;
    },

    /**
     * Issues a certificate, or starts to; the outcome is undefined if it is not known in time. Rejections before the
     * certificate object exists are thrown.
     */
    async issue(input: ProtocolIssueInput, context: RequestContext): Promise<Outcome | undefined> {
      requirePermission(context, { resource: 'certificates', action: 'issue' });
      const { predecessorUuid: certificateUuid } = input;
      if (certificateUuid === undefined) return (await issuance.attempt(input, context)).outcome;
      requirePermission(context, { resource: 'certificates', action: 'renew' });
      return (await renewer.succeedWith({ ...input, certificateUuid }, context)).outcome;
    },

    /** Stores the request for an operator to issue or reject. */
    async submit(input: Omit<ProtocolIssueInput, 'predecessorUuid'>, context: RequestContext): Promise<void> {
      requirePermission(context, { resource: 'certificates', action: 'create' });
      await issuance.submit(input, context);
    },

    /**
     * Returns the outcome of a certificate request, or undefined if the certificate was never requested or was deleted.
     */
    async outcomeOf(certificateUuid: string): Promise<ProtocolOutcome | undefined> {
      const row = await findAskedFor(certificateUuid);
      return row && outcomeOf(row);
    },

    /** Resolves when the authority has confirmed the revocation; throws `unavailable` if it waits for approval. */
    async revoke(input: ProtocolRevokeInput, context: RequestContext): Promise<void> {
      requirePermission(context, { resource: 'certificates', action: 'revoke' });
      const { reason, attributes, ...target } = input;
      const revocation = { reason, attributes: [...attributes], destroyKey: false };
      if ((await revoker.revoke({ ...target, revocation }, context)) === 'waitsForApproval')
        throw awaitingApprovalError('revocation', input.certificateUuid);
    },

    /** Returns whether the key of a request was revoked as compromised. Issuance rejects it in any case. */
    isCompromised: (request: RequestFacts): Promise<boolean> =>
      isCompromised(options.platform.database.hot, request.public_key_fingerprint),

    /**
     * Returns why a public key must not be used, as the predicate of a sentence: it belongs to a certificate that was
     * revoked as compromised, or is on a list of weak keys. Returns undefined if it can be used.
     */
    async problemOfKey(spki: Uint8Array): Promise<string | undefined> {
      if (await isCompromised(hot, sha256Hex(spki))) return 'belongs to a certificate that was revoked as compromised';
      const { modulus } = parsePublicKey(spki);
      return modulus !== undefined && weakKeys.has(modulus) ? 'is on the platform’s lists of weak keys' : undefined;
    },

    /** Returns the stored request of a certificate. */
    async requestOf(certificateUuid: string): Promise<Pick<RequestFacts, 'der' | 'format'> | undefined> {
      const requestUuid = (await findCertificate(executor, certificateUuid))?.request_uuid;
      return requestUuid ? findCertificateRequest(executor, requestUuid) : undefined;
    },

    /** Finds the inventory object of exactly this certificate. */
    findByContent: (der: Uint8Array) => findCertificateByFingerprint(hot, sha256Hex(der)),

    /** Finds the given certificates that exist, in no particular order. */
    findByUuids: (uuids: readonly string[]) => findCertificatesByUuids(executor, uuids),

    /**
     * Returns the normalized issuer names of certificates in the inventory that were issued under these protocol
     * profiles.
     */
    issuerNamesUnder: (profileUuids: readonly string[]) => findIssuerNamesUnder(executor, profileUuids),

    /** Finds issued certificates with this serial number, from any issuer, with their content. */
    findBySerialNumber: (serialNumber: string) => findCertificatesBySerialNumber(executor, serialNumber),
  };
}
