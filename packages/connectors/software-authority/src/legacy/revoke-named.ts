// Revokes a certificate identified by issuer and serial number.
import { ConnectorError, rejected } from '@signetry/connector-sdk';
import type { LegacyCertRevocationDto } from '@signetry/contract';
import { buildName, fromHex, normalizeName, parseNameText, parseTbsCertificate } from '@signetry/pki';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import { readOrReject } from '../problems.ts';
import { revokeCertificate } from '../revocation/revoke-certificate.ts';
import { profileOfPath, type LegacyParts } from './legacy-parts.ts';

export interface NamedRevocation {
  readonly path: { readonly uuid: string; readonly endEntityProfileName: string };
  readonly given: LegacyCertRevocationDto;
  readonly idempotencyKey: string | undefined;
}

export async function revokeNamed(parts: LegacyParts, revocation: NamedRevocation): Promise<void> {
  const { journal, revocations, shards, context } = parts;
  const { path, given, idempotencyKey } = revocation;
  const { authority } = await profileOfPath(parts, path.uuid, path.endEntityProfileName);
  if (given.reason === 'certificateHold')
    throw rejected(
      'reason: certificateHold is not supported under end entity profiles, because their interface cannot release a hold. Specify a final reason.',
    );
  const serial = readSerial(given.certificateSN);
  const entry = isIssuer(authority, given.issuerDN) ? await journal.findBySerial(authority.uuid, serial) : undefined;
  if (!entry)
    throw new ConnectorError(
      404,
      `Certificate ${given.certificateSN.slice(0, 100)} from ${given.issuerDN.slice(0, 200)} was not issued by ${authority.name}.`,
    );
  const certificate = parseTbsCertificate(entry.tbs);
  await revokeCertificate(revocations, {
    authority,
    known: { ...entry, certificate },
    shardUuid: await shards.findByCertificate(authority.uuid, certificate),
    reason: given.reason,
    attributes: [],
    idempotencyKey,
    now: context.clock.now(),
  });
}

/** Returns an unsigned big-endian number, as in the journal. */
function readSerial(text: string): Uint8Array {
  const digits = text
    .replaceAll(/[\s:]/g, '')
    .replace(/^0x/i, '')
    .replace(/^(00)+(?=..)/, '');
  if (!/^[0-9a-f]{1,40}$/i.test(digits)) throw rejected('certificateSN: must be a serial number in hexadecimal.');
  return fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
}

/** Returns whether the text names the issuer. Distinguished names can be written in either order. */
function isIssuer({ certificate }: SigningAuthority, text: string): boolean {
  const rdns = readOrReject('issuerDN', () => parseNameText(text));
  const own = normalizeName(certificate.subject);
  return [rdns, rdns.toReversed()].some(
    (order) => order.length > 0 && normalizeName(readOrReject('issuerDN', () => buildName(order))) === own,
  );
}
