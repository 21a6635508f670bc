// Renewal information (RFC 9773) for every certificate issued here, whatever protocol asked for it.
import { parseCertificate } from '@signetry/pki';
import type { CertificatesArea, FoundCertificate } from '../../../areas/certificates/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { refusal } from '../problems.ts';
import type { AcmeReply, OpenCall } from '../requests/call.ts';
import { isNamedBy, readCertificateId } from './certificate-id.ts';
import { pastWindow, usualWindow, type RenewalWindow } from './renewal-window.ts';
import * as store from './store.ts';

/** Seconds until a client asks again: often enough that a revocation is answered within hours (RFC 9773 §4.3.2). */
const RETRY_AFTER_S = 6 * 3600;

export type CertificateFinder = ReturnType<typeof createCertificateFinder>;

/** Finds a certificate by its identifier among those of our authorities. */
export function createCertificateFinder(certificates: CertificatesArea['protocols']) {
  return async (identifier: string): Promise<FoundCertificate | undefined> => {
    const id = readCertificateId(identifier);
    if (!id) throw refusal('malformed', 'The certificate identifier is not that of RFC 9773 section 4.1.');
    const found = await certificates.findBySerialNumber(id.serialNumber);
    return found.find((each) => isNamedBy(parseCertificate(each.der), id));
  };
}

export function createRenewalInfo(
  platform: Platform,
  { findCertificate }: { readonly findCertificate: CertificateFinder },
): (call: OpenCall) => Promise<AcmeReply> {
  const { database, clock } = platform;

  async function windowFor(found: FoundCertificate): Promise<{ window: RenewalWindow; explanation: string | null }> {
    if (found.state === 'revoked') return { window: pastWindow(clock.now()), explanation: null };
    const early = await store.findWindow(database.executor, found.uuid);
    if (early) return { window: { start: early.starts_at, end: early.ends_at }, explanation: early.explanation_url };
    const { uuid, not_before: notBefore, not_after: notAfter } = found;
    if (!notBefore || !notAfter) throw notIssued();
    return { window: usualWindow({ uuid, notBefore, notAfter }), explanation: null };
  }

  return async function renewalInfo({ id }) {
    const found = await findCertificate(id);
    if (!found || found.ra_profile_uuid === null) throw notIssued();
    const { window, explanation } = await windowFor(found);
    return {
      status: 200,
      body: {
        suggestedWindow: { start: window.start.toISOString(), end: window.end.toISOString() },
        ...(explanation === null ? {} : { explanationURL: explanation }),
      },
      headers: { 'retry-after': String(RETRY_AFTER_S) },
    };
  };
}

const notIssued = () => refusal('malformed', 'No certificate with this identifier was issued here.', { status: 404 });
