// Revokes a certificate (RFC 8555 §7.6) at the request of the account that it was issued to, of an account that
// controls all its names, or of the holder of its private key.
import { setTimeout as delay } from 'node:timers/promises';
import {
  mayReplaceReason,
  REVOCATION_REASONS,
  parseCertificate,
  PkiError,
  revocationReasonOf,
  type RevocationReason,
} from '@signetry/pki';
import type { CertificateRevocationReason } from '@signetry/contract';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import { isAppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { rejection } from '../model/problems.ts';
import { payloadObject } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply, SignedCall } from '../requests/call.ts';
import { consumeNonce } from '../requests/store-guard.ts';
import { certificateNames } from './certificate-names.ts';
import * as store from './store.ts';

export interface RevokeParts {
  readonly platform: Platform;
  readonly certificates: ProtocolCertificates;
  readonly raProfiles: RaProfiles;
}

const MAX_CERTIFICATE_CHARS = 64 * 1024;
/** Delays between checks for whether a concurrent request has revoked the certificate: about 2.5 s in total. */
const PAUSES_MS = [20, 40, 80, 160, 320, 640, 1280] as const;

export function createRevoke(parts: RevokeParts): (call: SignedCall | AccountCall) => Promise<AcmeReply> {
  const { certificates, raProfiles } = parts;
  const { database, clock } = parts.platform;

  return async function revokeCertificate(call) {
    const request = payloadObject(call);
    const der = readDer(request['certificate']);
    const reason = readReason(request['reason']);
    await consumeNonce(database.relaxed, call);
    const found = await certificates.findByContent(der);
    if (!found) throw notIssuedHere();
    await assertMayRevoke(call, found);
    if (found.state === 'revoked' && !mayReplace(call, found, reason)) throw alreadyRevoked();
    if (found.archived)
      throw rejection('malformed', 'The certificate is archived. Archived certificates cannot be revoked.');
    const authorityUuid =
      found.ra_profile_uuid === null ? undefined : await raProfiles.authorityOf(found.ra_profile_uuid);
    if (found.ra_profile_uuid === null || authorityUuid === undefined) throw notIssuedHere();
    const target = { authorityUuid, raProfileUuid: found.ra_profile_uuid, certificateUuid: found.uuid };
    const attributes = found.ra_profile_uuid === call.profile.raProfile?.uuid ? call.profile.revokeAttributes : [];
    await certificates.revoke({ ...target, reason, attributes }, call.context).catch(async (error: unknown) => {
      if (!isAppError(error) || error.code !== 'invalid_state') throw error;
      throw (await isRevokedConcurrently(der)) ? alreadyRevoked() : revocationInProgress(error);
    });
    return { status: 200 };
  };

  /**
   * Waits for a concurrent request that is revoking the same certificate, for as long as an authority normally takes.
   */
  async function isRevokedConcurrently(der: Uint8Array): Promise<boolean> {
    for (const pauseMs of [0, ...PAUSES_MS]) {
      await delay(pauseMs);
      if ((await certificates.findByContent(der))?.state === 'revoked') return true;
    }
    return false;
  }

  async function assertMayRevoke(call: SignedCall | AccountCall, found: FoundCertificate): Promise<void> {
    const certificate = parseCertificate(found.der);
    if (!('account' in call)) {
      if (Buffer.from(certificate.spki).equals(call.key.spki)) return;
      throw rejection('unauthorized', 'The request is not signed with the key of the certificate.');
    }
    if (found.protocol_account_uuid === call.account.uuid) return;
    const proven = await store.provenNames(database.executor, call.account.uuid, clock.now());
    const names = certificateNames(certificate);
    if (names.length > 0 && names.every((name) => proven.has(name))) return;
    throw rejection(
      'unauthorized',
      'The certificate was not issued to this account, and the account has not proven control of all its names.',
    );
  }
}

/**
 * Returns whether a request may replace the recorded reason. A request signed with the certificate's key proves
 * possession of that key (RFC 8555 §7.6), so it may. An account merely asserts the compromise of a certificate that is
 * already revoked.
 */
const mayReplace = (
  call: SignedCall | AccountCall,
  { revocation_reason: earlier }: FoundCertificate,
  reason: CertificateRevocationReason,
): boolean => !('account' in call) && mayReplaceReason(earlier ?? undefined, reason);

function readDer(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !/^[A-Za-z0-9_-]+$/.test(value) || value.length > MAX_CERTIFICATE_CHARS)
    throw rejection('malformed', '"certificate" must be DER in base64url without padding.');
  const der = Buffer.from(value, 'base64url');
  try {
    return parseCertificate(der).der;
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    throw rejection('malformed', `Cannot parse the certificate: ${error.message.replace(/\.$/, '')}.`, {
      cause: error,
    });
  }
}

/**
 * RFC 5280 §5.3.1: `removeFromCRL` only lifts a hold, and holds are not supported; `cACompromise` applies only to CAs,
 * and no CA certificates are issued over ACME.
 */
const REFUSED_REASONS = ['certificateHold', 'removeFromCRL', 'cACompromise'] as const;

const isAccepted = (reason: RevocationReason): reason is Exclude<RevocationReason, (typeof REFUSED_REASONS)[number]> =>
  !REFUSED_REASONS.some((refused) => refused === reason);

function readReason(value: unknown): CertificateRevocationReason {
  const code = value ?? 0;
  const reason = typeof code === 'number' && Number.isInteger(code) ? revocationReasonOf(code) : undefined;
  if (reason !== undefined && isAccepted(reason)) return reason;
  throw rejection('badRevocationReason', `The revocation reason must be one of ${listAcceptedReasons()}.`);
}

const listAcceptedReasons = (): string =>
  // The cast is safe because the keys are those of the table.
  (Object.entries(REVOCATION_REASONS) as [RevocationReason, number][])
    .filter(([name]) => isAccepted(name))
    .map(([name, code]) => `${code} (${name})`)
    .join(', ');

const alreadyRevoked = () => rejection('alreadyRevoked', 'The certificate is already revoked.');

/** Once the other request has finished, a repeated request gets `alreadyRevoked`. */
const revocationInProgress = (cause: unknown) =>
  rejection(
    'serverInternal',
    'Another request is currently revoking or renewing the certificate. Try again in a few seconds.',
    {
      status: 503,
      headers: { 'retry-after': '5' },
      cause,
    },
  );

const notIssuedHere = () => rejection('malformed', 'The certificate was not issued by this server.', { status: 404 });
