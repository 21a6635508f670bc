// Revokes a certificate identified by issuer and serial number, as callers of v1 authorities do.
import type { LegacyClientCertificateRevocationDto } from '@signetry/contract';
import { buildName, isPkiError, normalizeName, parseNameText, type NameCodes } from '@signetry/pki';
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { IssuingProfile } from '../../ra-profiles/index.ts';
import { approvalNeeded, awaitingApprovalError } from '../approving/approval-needed.ts';
import { auditFacts, type NameSource } from '../../certificates/index.ts';
import { requestNamedRevocation } from '../operations/legacy-calls.ts';
import { rejectHold, type CertificateRevoker } from '../revoking/revoke.ts';
import { toConnectorName } from './connector-name.ts';
import { findBySerialNumber } from './store.ts';

export interface LegacyRevocationParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly connectors: Connectors;
  readonly revoker: Pick<CertificateRevoker, 'revokeLegacy'>;
  readonly names: NameSource;
}

export async function revokeNamed(
  parts: LegacyRevocationParts,
  { profile, given }: { readonly profile: IssuingProfile; readonly given: LegacyClientCertificateRevocationDto },
  context: RequestContext,
): Promise<void> {
  const { reason } = given;
  const serialNumber = readSerialNumber(given.certificateSN);
  const { codes } = await parts.names();
  const issuerNames = readIssuer(given.issuerDN, codes);
  const { executor } = parts.platform.database;
  const row = await findBySerialNumber(executor, { serialNumber, issuerNames });
  if (row) {
    const revocation = await parts.revoker.revokeLegacy({ profile, certificateUuid: row.uuid, reason }, context);
    if (revocation === 'waitsForApproval') throw awaitingApprovalError('revocation', row.uuid);
    return;
  }
  rejectHold(reason, profile);
  if (approvalNeeded(profile, context) !== undefined)
    throw rejected(
      `certificateSN: the certificate is not in the inventory, so its revocation cannot wait for the approval that RA profile ${profile.name} requires; upload the certificate first`,
    );
  await revokeUnknown(
    parts,
    { profile, named: { ...given, certificateSN: serialNumber, issuerDN: toConnectorName(given.issuerDN, codes) } },
    context,
  );
}

/**
 * Lets the authority decide whether this is one of its certificates, because it may have certificates that are not in
 * the inventory.
 */
async function revokeUnknown(
  { platform, audit, connectors }: LegacyRevocationParts,
  { profile, named }: { readonly profile: IssuingProfile; readonly named: LegacyClientCertificateRevocationDto },
  context: RequestContext,
): Promise<void> {
  await requestNamedRevocation(connectors, profile, named, newUuid());
  await platform.database.transaction((tx) =>
    audit.append(tx, context, {
      facts: auditFacts('revoke'),
      affiliated: { resource: 'raProfiles', objects: [{ uuid: profile.uuid, name: profile.name }] },
      data: { serialNumber: named.certificateSN, issuerDN: named.issuerDN, reason: named.reason },
    }),
  );
}

/** Returns the serial number as in the inventory: lowercase without leading zeros. */
function readSerialNumber(text: string): string {
  const digits = text
    .replaceAll(/[\s:]/g, '')
    .replace(/^0x/i, '')
    .replace(/^0+(?=.)/, '');
  if (/^[0-9a-f]{1,40}$/i.test(digits)) return digits.toLowerCase();
  throw rejected('certificateSN: must be a hexadecimal serial number');
}

/** Returns the normalized name in both RDN orders, because authorities write distinguished names either way. */
function readIssuer(text: string, codes: NameCodes): readonly string[] {
  try {
    const rdns = parseNameText(text, codes);
    if (rdns.length === 0) throw rejected('issuerDN: must not be empty');
    return [rdns, rdns.toReversed()].map((order) => normalizeName(buildName(order)));
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw rejected(`issuerDN: ${error.message}`);
  }
}
