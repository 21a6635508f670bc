// Renewal (RFC 8894 §2.3): a message signed with a certificate from the inventory requests that certificate's
// successor.
import { normalizeName, type Certificate } from '@signetry/pki';
import type { RequestFacts } from '../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../areas/issuing/index.ts';
import type { ServedScepProfile } from '../../areas/scep-profiles/index.ts';
import { reject } from './rejection.ts';

const DAY_MS = 24 * 3_600_000;

export interface RenewalFacts {
  readonly profile: ServedScepProfile;
  readonly certificate: Certificate;
  readonly facts: RequestFacts;
  readonly now: Date;
}

/** Returns the certificate to be renewed; undefined if the signer is not one of the RA profile's certificates. */
export async function findPredecessor(
  certificates: Pick<ProtocolCertificates, 'findByContent'>,
  { profile, certificate, facts, now }: RenewalFacts,
): Promise<string | undefined> {
  if (certificate.isSelfIssued) return undefined; // A self-issued certificate was created by the device itself.
  const found = await certificates.findByContent(certificate.der);
  if (!found || found.ra_profile_uuid === null || found.ra_profile_uuid !== profile.raProfile?.uuid) return undefined;
  if (found.state !== 'issued') reject('badCertId', `The signer's certificate is ${found.state}.`);
  if (found.archived) reject('badCertId', "The signer's certificate is archived.");
  if (normalizeName(certificate.subject) !== facts.subject_dn_normalized)
    reject('badRequest', 'The subject of the request differs from that of the certificate to be renewed.');
  assertInWindow(certificate, profile, now);
  return found.uuid;
}

function assertInWindow(
  { notBeforeMs, notAfterMs }: Certificate,
  { renewalThreshold: days }: ServedScepProfile,
  now: Date,
): void {
  const at = now.getTime();
  if (at > notAfterMs) reject('badTime', "The signer's certificate has expired; enroll again.");
  const opensAt = days > 0 ? notAfterMs - days * DAY_MS : notBeforeMs + (notAfterMs - notBeforeMs) / 2;
  if (at < opensAt) reject('badTime', `The certificate cannot be renewed before ${new Date(opensAt).toISOString()}.`);
}
