// Building certificate revocation lists (RFC 5280 §5): full and delta, version 2. Two steps, as for certificates: the
// octets to be signed, then list and signature together.
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
  /** Bits of ReasonFlags. */
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
  /** Makes a delta CRL: the number of the full CRL that it completes. */
  readonly baseCrlNumber?: bigint | number;
  readonly authorityKeyIdentifier: Uint8Array;
  /** In the order given; encoded ones as they are. */
  readonly entries: Iterable<RevokedEntryInput> | EntryList;
  readonly issuingDistributionPoint?: IssuingDistributionPointInput;
  /** URLs of delta CRLs; full CRLs only (RFC 5280 §5.2.6). */
  readonly freshestCrlUrls?: readonly string[];
  readonly extensions?: readonly ExtensionInput[];
}

/**
 * Octets of a TBSCertList. Throws `PkiError` `bad-argument`: an update that ends before it starts, a CRL number that is
 * negative or beyond 20 octets, a delta CRL numbered before its base or pointing to deltas, `removeFromCRL` in a full
 * CRL.
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

/** Absent when nothing is revoked (RFC 5280 §5.1.2.6). */
function revokedCertificatesPart({ entries, baseCrlNumber }: TbsCertListInput): DerPart | undefined {
  // Contents that are encoded already need their header only.
  if ('octets' in entries) return entries.count === 0 ? undefined : primitive(TAG.sequence, entries.octets);
  const parts: DerPart[] = [];
  for (const entry of entries) {
    if (entry.reason === 'removeFromCRL' && baseCrlNumber === undefined) {
      throw new PkiError('bad-argument', 'The reason removeFromCRL belongs to delta CRLs (RFC 5280 §5.3.1).');
    }
    parts.push(entryPart(entry));
  }
  return parts.length === 0 ? undefined : sequence(parts);
}

/** The CRL: list, algorithm and signature together. */
export const assembleCrl: (
  tbs: Uint8Array,
  signed: { algorithm: SignatureAlgorithm; signature: Uint8Array },
) => Uint8Array = assembleSigned;

const MAX_CRL_NUMBER = 2n ** 159n;

function checkNumbers(input: TbsCertListInput): void {
  const number = BigInt(input.crlNumber);
  const base = input.baseCrlNumber === undefined ? undefined : BigInt(input.baseCrlNumber);
  if (input.nextUpdateMs < input.thisUpdateMs) {
    throw new PkiError('bad-argument', 'The next update of a CRL must not be before this one.');
  }
  if (number < 0n || number >= MAX_CRL_NUMBER || (base !== undefined && (base < 0n || base > number))) {
    throw new PkiError('bad-argument', 'The CRL number is out of range (RFC 5280 §5.2.3).');
  }
  if (base !== undefined && input.freshestCrlUrls !== undefined) {
    throw new PkiError('bad-argument', 'A delta CRL must not point to delta CRLs (RFC 5280 §5.2.6).');
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
    throw new PkiError('bad-argument', 'A CRL cannot be for user certificates only and for CA certificates only.');
  }
  return sequence([
    urls.length === 0 ? undefined : distributionPointNamePart(urls),
    onlyContainsUserCerts ? implicitTrue(1) : undefined,
    onlyContainsCaCerts ? implicitTrue(2) : undefined,
    onlySomeReasons === undefined ? undefined : namedBitsPart(onlySomeReasons, 0x83),
    indirectCrl ? implicitTrue(4) : undefined,
  ]);
}
