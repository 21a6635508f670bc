// Creates and renews an authority's responder. Each certificate has a new key, which is sealed and stored before the
// certificate is requested through the ordinary issuance path. Only one node at a time does this for an authority.
import {
  parseCertificate,
  equalBytes,
  equalNames,
  isSignedBy,
  OID,
  type Certificate,
  type VerifySignature,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { coreContext } from '../../../kernel/actor.ts';
import { isAppError } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { responderRenewAtMs, RESPONDER_VALIDITY_DAYS } from '../publication-times.ts';
import { performTask, type TaskResponse, type WorkResult } from '../tasks.ts';
import type { Issuer, Issuers } from '../issuers.ts';
import type { RevocationAuthority, RevocationPorts } from '../ports.ts';
import * as store from '../store.ts';
import type { ResponderRow } from '../tables.ts';
import { OCSP_DELEGATION_FEATURE, responderProfile } from './responder-profile.ts';
import { hasResponderKey, newResponderRequest } from './responder-request.ts';
import type { Responders } from './responders.ts';

/** States in which a certificate object may still be issued. */
const WAITING_STATES: ReadonlySet<string> = new Set(['requested', 'pending_approval', 'pending_issue']);

/** How long to wait for issuance: not longer than the certificate's validity period. */
const MAX_WAIT_MS = RESPONDER_VALIDITY_DAYS * 24 * 3_600_000;

export interface EnsureOptions {
  /** Whether to ignore the pause after a failed attempt. */
  readonly evenIfPaused: boolean;
  /** How long to wait if another node is doing the work. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates a responder if none exists, if a former CA key certified the current one, or if the current one is about to
 * expire.
 */
export type ResponderRenewer = (authorityUuid: string, options: EnsureOptions) => Promise<TaskResponse>;

interface RenewerParts {
  readonly platform: Platform;
  readonly ports: RevocationPorts;
  readonly issuers: Issuers;
  readonly responders: Responders;
}

export function createResponderRenewer(parts: RenewerParts): ResponderRenewer {
  const { platform, issuers } = parts;
  const { database, log } = platform;

  return async (authorityUuid, options) => {
    const { authority } = await issuers.of(authorityUuid);
    if (!authority.features.includes(OCSP_DELEGATION_FEATURE)) return { outcome: 'notOffered' };
    const issuer = await issuers.currentOf(authorityUuid);
    const duty = { authorityUuid, name: 'responder' } as const;
    return performTask(database.executor, { ...options, duty, nodeId: platform.nodeId }, async () => {
      if (!(await isNeeded(parts, authorityUuid, issuer))) return { outcome: 'done' };
      try {
        return await renew(parts, authority, issuer);
      } catch (error) {
        log.warn({ error, authority: authorityUuid }, 'cannot obtain the OCSP responder certificate');
        throw error;
      }
    });
  };
}

async function renew(parts: RenewerParts, authority: RevocationAuthority, issuer: Issuer): Promise<WorkResult> {
  const { platform, ports } = parts;
  const { database } = parts.platform;
  for (const row of await store.findResponders(database.executor, authority.uuid)) {
    const result = row.certificate === null ? await resumeAttempt(parts, row, issuer) : undefined;
    if (result) return result;
  }
  const raProfileUuid = await responderProfile(authority, ports);
  const { row, request } = await newResponderRequest(
    { uuid: authority.uuid, name: authority.name, caKey: issuer.certificate.publicKey },
    platform,
  );
  await store.insertResponder(database.executor, row);
  try {
    const input = { authorityUuid: authority.uuid, raProfileUuid, request };
    const issued = await ports.certificates.issue(input, coreContext(newUuid()));
    return await settle(parts, { ...row, certificate_uuid: issued.uuid }, { der: issued.der, issuer });
  } catch (error) {
    // If the outcome is unknown, the certificate may still be issued later, and only this key matches it.
    const certificateUuid = isAppError(error) ? error.objectUuid : undefined;
    if (certificateUuid === undefined) await store.removeResponder(database.executor, row.uuid);
    else await store.updateResponder(database.executor, row.uuid, { certificate_uuid: certificateUuid });
    throw error;
  }
}

/** Resumes an unfinished attempt; returns undefined if it can no longer succeed. */
async function resumeAttempt(parts: RenewerParts, row: ResponderRow, issuer: Issuer): Promise<WorkResult | undefined> {
  const { database, clock } = parts.platform;
  const { ports } = parts;
  const found = row.certificate_uuid === null ? undefined : await ports.certificates.find(row.certificate_uuid);
  const isRecent = clock.now().getTime() - row.created_at.getTime() < MAX_WAIT_MS;
  if (found?.state === 'issued' && found.der) return settle(parts, row, { der: found.der, issuer });
  if (found && isRecent && WAITING_STATES.has(found.state)) return settle(parts, row, { der: undefined, issuer });
  await store.removeResponder(database.executor, row.uuid);
  return undefined;
}

async function settle(
  parts: RenewerParts,
  row: ResponderRow,
  { der, issuer }: { readonly der: Uint8Array | undefined; readonly issuer: Issuer },
): Promise<WorkResult> {
  const { database, clock, log } = parts.platform;
  const { responders } = parts;
  if (!der) {
    await store.updateResponder(database.executor, row.uuid, { certificate_uuid: row.certificate_uuid });
    return { outcome: 'failed', problem: 'its certificate has not been issued yet' };
  }
  const certificate = parseCertificate(der);
  const expected = { publicKey: row.public_key, issuer, now: clock.now(), verify: nodeCrypto.verify };
  const problem = problemOfResponder(certificate, expected);
  if (problem) {
    await store.removeResponder(database.executor, row.uuid);
    log.error({ authority: row.authority_uuid, problem }, 'cannot use the certificate issued for the OCSP responder');
    return { outcome: 'failed', problem };
  }
  await store.updateResponder(database.executor, row.uuid, {
    certificate_uuid: row.certificate_uuid,
    issuer_key: issuer.key,
    certificate: Buffer.from(der),
    not_before: new Date(certificate.notBeforeMs),
    not_after: new Date(certificate.notAfterMs),
  });
  responders.forget(row.authority_uuid);
  return { outcome: 'done' };
}

async function isNeeded(parts: RenewerParts, authorityUuid: string, issuer: Issuer): Promise<boolean> {
  const { clock } = parts.platform;
  const { responders } = parts;
  responders.forget(authorityUuid);
  const responder = await responders.find(authorityUuid, issuer.key);
  if (responder && !hasResponderKey(responder.certificate.publicKey, issuer.certificate.publicKey)) return true;
  return !responder || responderRenewAtMs(responder.certificate) <= clock.now().getTime();
}

interface ResponderExpectation {
  readonly publicKey: Uint8Array;
  /** CA that issued the certificates for which the responder responds. */
  readonly issuer: Issuer;
  readonly now: Date;
  readonly verify: VerifySignature;
}

/**
 * Checks whether clients will accept an issued certificate as a responder certificate (RFC 6960 §4.2.2.2). The RA
 * profile may have been edited manually, so the issued certificate is checked rather than the request. Returns the
 * first problem; undefined if there is none.
 */
function problemOfResponder(certificate: Certificate, expected: ResponderExpectation): string | undefined {
  const { issuer, publicKey, verify, now } = expected;
  if (!equalBytes(certificate.spki, publicKey)) return 'it certifies a different key';
  const ca = issuer.certificate;
  if (!equalNames(certificate.issuer, ca.subject) || !isSignedBy(certificate, { issuerSpki: ca.spki, verify }))
    return "it was not issued directly by the authority's current CA";
  if (!(certificate.extKeyUsage ?? []).includes(OID.ocspSigning)) return 'it lacks the extended key usage OCSPSigning';
  if (!(certificate.keyUsage?.includes('digitalSignature') ?? true))
    return 'its key usage does not include digitalSignature';
  if (!certificate.extensions.some(({ oid }) => oid === OID.ocspNoCheck))
    return 'it lacks the ocsp-nocheck extension, so clients would request its own revocation status';
  if (certificate.notAfterMs <= now.getTime()) return 'it has expired';
  return undefined;
}
