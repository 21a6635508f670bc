// Messages that are signed with a certificate of the inventory: its successor is asked for (RFC 8894 §2.3).
import { normalizeName, type Certificate } from '@signetry/pki';
import type { RequestFacts } from '../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../areas/issuing/index.ts';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import { refuse } from './refusal.ts';

const DAY_MS = 24 * 3_600_000;

export interface RenewalFacts {
  readonly profile: ServedScepProfile;
  readonly certificate: Certificate;
  readonly facts: RequestFacts;
  readonly now: Date;
}

/** The certificate that is succeeded; undefined where the signer is not one of the RA profile's. */
export async function findPredecessor(
  certificates: Pick<ProtocolCertificates, 'findByContent'>,
  { profile, certificate, facts, now }: RenewalFacts,
): Promise<string | undefined> {
  if (certificate.isSelfIssued) return undefined; // made by the device itself
  const found = await certificates.findByContent(certificate.der);
  if (!found || found.ra_profile_uuid === null || found.ra_profile_uuid !== profile.raProfile?.uuid) return undefined;
  if (found.state !== 'issued') refuse('badCertId', `The certificate of the signer is ${found.state}.`);
  if (found.archived) refuse('badCertId', 'The certificate of the signer is archived.');
  if (normalizeName(certificate.subject) !== facts.subject_dn_normalized)
    refuse('badRequest', 'The request has another subject than the certificate that it is to succeed.');
  assertInWindow(certificate, profile, now);
  return found.uuid;
}

function assertInWindow(
  { notBeforeMs, notAfterMs }: Certificate,
  { renewalThreshold: days }: ServedScepProfile,
  now: Date,
): void {
  const at = now.getTime();
  if (at > notAfterMs) refuse('badTime', 'The certificate of the signer has expired; enrol anew.');
  const opensAt = days > 0 ? notAfterMs - days * DAY_MS : notBeforeMs + (notAfterMs - notBeforeMs) / 2;
  if (at < opensAt) refuse('badTime', `The certificate can be renewed from ${new Date(opensAt).toISOString()}.`);
}
