// Builds full and delta certificate revocation lists (RFC 5280 §5), version 2. Works in two steps, as for certificates:
// first the bytes to sign, then the CRL with its signature.
import {
  encodeDer,
  explicitPart,
  integerPart,
  namedBitsPart,
  primitive,
  sequence,
  timePart,
  type DerPart,
} from '../der/writer.ts';
import { assembleSigned } from '../x509/signed.ts';
import {
  authorityKeyIdentifierExtension,
  distributionPointNamePart,
  extensionsPart,
  freshestCrlExtension,
  implicitTrue,
  type ExtensionInput,
} from '../x509/extension-parts.ts';
import { OID } from '../oids.ts';
import { PkiError } from '../errors.ts';
import { TAG } from '../der/tags.ts';
import { entryPart, type EntryList, type RevokedEntryInput } from './entry-list.ts';
import type { Name } from '../names.ts';
import type { SignatureAlgorithm } from '../algorithms.ts';

export interface IssuingDistributionPointInput {
  readonly urls?: readonly string[];
  readonly onlyContainsUserCerts?: boolean;
  readonly onlyContainsCaCerts?: boolean;
  /** ReasonFlags bits. */
  readonly onlySomeReasons?: number;
  readonly indirectCrl?: boolean;
}

export interface TbsCertListInput {
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly issuer: Name | Uint8Array;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs: number;
  /** Strictly increasing per issuer and scope; full and delta CRLs share one sequence (RFC 5280 §5.2.3). */
  readonly crlNumber: bigint | number;
  /** The base CRL's number, for delta CRLs only. */
  readonly baseCrlNumber?: bigint | number;
  readonly authorityKeyIdentifier: Uint8Array;
  /** Entries are encoded in this order; already encoded entries are included unchanged. */
  readonly entries: Iterable<RevokedEntryInput> | EntryList;
  readonly issuingDistributionPoint?: IssuingDistributionPointInput;
  /** Delta CRL URLs; full CRLs only (RFC 5280 §5.2.6). */
  readonly freshestCrlUrls?: readonly string[];
  readonly extensions?: readonly ExtensionInput[];
}

/**
 * Returns an encoded TBSCertList. Throws `PkiError` `bad-argument` for a next update before this update, a CRL number
 * that is negative or longer than 20 bytes, a delta CRL numbered before its base or pointing to delta CRLs, and
 * `removeFromCRL` in a full CRL.
 */
export function buildTbsCertList(input: TbsCertListInput): Uint8Array {
  checkNumbers(input);
  return encodeDer(
    sequence([
      integerPart(1),
      input.signatureAlgorithm.der,
      input.issuer instanceof Uint8Array ? input.issuer : input.issuer.der,
      timePart(input.thisUpdateMs),
      timePart(input.nextUpdateMs),
      revokedCertificatesPart(input),
      explicitPart(0, extensionsPart(crlExtensions(input))),
    ]),
  );
}

/** Returns revokedCertificates, which is omitted if nothing is revoked (RFC 5280 §5.1.2.6). */
function revokedCertificatesPart({ entries, baseCrlNumber }: TbsCertListInput): DerPart | undefined {
  // Already encoded contents only need a header.
  if ('octets' in entries) return entries.count === 0 ? undefined : primitive(TAG.sequence, entries.octets);
  const parts: DerPart[] = [];
  for (const entry of entries) {
    if (entry.reason === 'removeFromCRL' && baseCrlNumber === undefined) {
      throw new PkiError('bad-argument', 'The reason removeFromCRL is only allowed in delta CRLs (RFC 5280 §5.3.1).');
    }
    parts.push(entryPart(entry));
  }
  return parts.length === 0 ? undefined : sequence(parts);
}

/** Assembles the CRL from TBSCertList, algorithm and signature. */
export const assembleCrl: (
  tbs: Uint8Array,
  signed: { algorithm: SignatureAlgorithm; signature: Uint8Array },
) => Uint8Array = assembleSigned;

const MAX_CRL_NUMBER = 2n ** 159n;

function checkNumbers(input: TbsCertListInput): void {
  const number = BigInt(input.crlNumber);
  const base = input.baseCrlNumber === undefined ? undefined : BigInt(input.baseCrlNumber);
  if (input.nextUpdateMs < input.thisUpdateMs) {
    throw new PkiError('bad-argument', 'The nextUpdate of a CRL must not be before its thisUpdate.');
  }
  if (number < 0n || number >= MAX_CRL_NUMBER || (base !== undefined && (base < 0n || base > number))) {
    throw new PkiError('bad-argument', 'The CRL number is out of range (RFC 5280 §5.2.3).');
  }
  if (base !== undefined && input.freshestCrlUrls !== undefined) {
    throw new PkiError('bad-argument', 'A delta CRL must not contain freshest CRL URLs (RFC 5280 §5.2.6).');
  }
}

function crlExtensions(input: TbsCertListInput): ExtensionInput[] {
  const { baseCrlNumber, issuingDistributionPoint, freshestCrlUrls } = input;
  const extensions: ExtensionInput[] = [
    authorityKeyIdentifierExtension(input.authorityKeyIdentifier),
    { oid: OID.crlNumber, critical: false, part: integerPart(input.crlNumber) },
  ];
  if (baseCrlNumber !== undefined) {
    extensions.push({ oid: OID.deltaCrlIndicator, critical: true, part: integerPart(baseCrlNumber) });
  }
  if (issuingDistributionPoint !== undefined) {
    extensions.push({
      oid: OID.issuingDistributionPoint,
      critical: true,
      part: issuingDistributionPointPart(issuingDistributionPoint),
    });
  }
  if (freshestCrlUrls !== undefined) extensions.push(freshestCrlExtension(freshestCrlUrls));
  return [...extensions, ...(input.extensions ?? [])];
}

function issuingDistributionPointPart(point: IssuingDistributionPointInput): DerPart {
  const { urls = [], onlyContainsUserCerts, onlyContainsCaCerts, onlySomeReasons, indirectCrl } = point;
  if (onlyContainsUserCerts && onlyContainsCaCerts) {
    throw new PkiError('bad-argument', 'A CRL cannot be limited to both user certificates and CA certificates.');
  }
  return sequence([
    urls.length === 0 ? undefined : distributionPointNamePart(urls),
    onlyContainsUserCerts ? implicitTrue(1) : undefined,
    onlyContainsCaCerts ? implicitTrue(2) : undefined,
    onlySomeReasons === undefined ? undefined : namedBitsPart(onlySomeReasons, 0x83),
    indirectCrl ? implicitTrue(4) : undefined,
  ]);
}
