// Revocation (RFC 9483 §4.2), requested by the certificate itself, by a registration authority, or with the profile's
// shared secret. The response contains a separate status for each certificate.
import {
  equalBytes,
  equalNames,
  findExtension,
  formatSerialNumber,
  OID,
  parseCertificate,
  parseDer,
  readIntegerBetween,
  revocationReasonOf,
  TAG,
  type PkiBody,
  type PkiStatusInput,
  type RevocationDetails,
  type RevocationReason,
} from '@signetry/pki';
import type { CertificateRevocationReason } from '@signetry/contract';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { CmpCall, CmpReply } from '../call.ts';
import { toRejection, CmpRejection, rejectionStatus } from '../rejection.ts';

export interface RevokeParts {
  readonly certificates: Pick<ProtocolCertificates, 'revoke' | 'findBySerialNumber'>;
}

export async function revoke(
  parts: RevokeParts,
  call: CmpCall,
  { details }: Extract<PkiBody, { type: 'rr' }>,
): Promise<CmpReply> {
  const statuses: PkiStatusInput[] = [];
  for (const each of details) statuses.push(await revokeOne(parts, call, each));
  return { body: { type: 'rp', statuses } };
}

async function revokeOne(parts: RevokeParts, call: CmpCall, details: RevocationDetails): Promise<PkiStatusInput> {
  try {
    const found = await findNamed(parts, call, details);
    assertMayRevoke(call, found);
    if (found.state === 'revoked') throw new CmpRejection('certRevoked', 'The certificate is already revoked.');
    await parts.certificates.revoke(
      {
        authorityUuid: call.raProfile.authorityUuid,
        raProfileUuid: call.raProfile.uuid,
        certificateUuid: found.uuid,
        reason: reasonOf(details),
        attributes: call.profile.revokeAttributes,
      },
      call.context,
    );
    return { status: 'accepted' };
  } catch (error) {
    const refusal = toRejection(error);
    if (refusal) return rejectionStatus(refusal);
    throw error;
  }
}

/** Finds the certificate by issuer and serial number among the RA profile's certificates. */
async function findNamed(
  { certificates }: RevokeParts,
  { raProfile }: CmpCall,
  { template: { issuer, serialBytes } }: RevocationDetails,
): Promise<FoundCertificate> {
  if (!issuer || !serialBytes)
    throw new CmpRejection('addInfoNotAvailable', 'The certificate must be identified by issuer and serial number.');
  const found = await certificates.findBySerialNumber(formatSerialNumber(serialBytes));
  const named = found.find(
    ({ ra_profile_uuid: uuid, der }) => uuid === raProfile.uuid && equalNames(parseCertificate(der).issuer, issuer),
  );
  if (named) return named;
  throw new CmpRejection(
    'badCertId',
    'No certificate with this issuer and serial number was issued under the RA profile.',
  );
}

function assertMayRevoke({ sender }: CmpCall, { der }: FoundCertificate): void {
  if (sender.kind === 'mac' ? !sender.oneTime : sender.isRegistrationAuthority) return;
  if (sender.kind === 'signature' && equalBytes(sender.certificate.der, der)) return;
  throw new CmpRejection(
    'notAuthorized',
    'A revocation request must be signed by the certificate itself or a registration authority, or protected with the shared secret.',
  );
}

/**
 * Reasons that clients cannot specify: only operators place and release holds, and only operators revoke CAs (RFC 5280
 * §5.3.1).
 */
const REFUSED: readonly RevocationReason[] = ['certificateHold', 'removeFromCRL', 'cACompromise'];

const isAccepted = (reason: RevocationReason): reason is Exclude<RevocationReason, 'removeFromCRL'> =>
  !REFUSED.includes(reason);

function reasonOf({ crlEntryDetails }: RevocationDetails): CertificateRevocationReason {
  const extension = findExtension(crlEntryDetails, OID.reasonCode);
  if (!extension) return 'unspecified';
  const code = readIntegerBetween(parseDer(extension.value), { min: 0, max: 10, tag: TAG.enumerated });
  const reason = revocationReasonOf(code);
  if (reason !== undefined && isAccepted(reason)) return reason;
  throw new CmpRejection('badRequest', `The revocation reason ${code} is not accepted.`);
}
