// Certificate revocation lists, written (RFC 5280 §5): full and delta, version 2. Two steps as for certificates: the octets to be
// signed, then list and signature together.
import {
  encodeDer,
  enumeratedPart,
  explicitPart,
  generalizedTimePart,
  integerPart,
  namedBitsPart,
  octetStringOf,
  oidPart,
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
import { REVOCATION_REASONS, type RevocationReason } from './reasons.ts';
import type { Name } from '../names.ts';
import type { SignatureAlgorithm } from '../algorithms.ts';

export interface RevokedEntryInput {
  /** Unsigned big-endian octets. */
  readonly serialNumber: Uint8Array;
  readonly revocationMs: number;
  /** `unspecified` is written by leaving the extension out (RFC 5280 §5.3.1). */
  readonly reason?: RevocationReason;
  readonly invalidityMs?: number;
}

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
  readonly entries: Iterable<RevokedEntryInput>;
  readonly issuingDistributionPoint?: IssuingDistributionPointInput;
  /** Where delta CRLs are; full CRLs only (RFC 5280 §5.2.6). */
  readonly freshestCrlUrls?: readonly string[];
  readonly extensions?: readonly ExtensionInput[];
}

/**
 * Octets of a TBSCertList. Throws `PkiError` `bad-argument`: an update that ends before it starts, a CRL number that is negative
 * or beyond 20 octets, a delta CRL numbered before its base or pointing to deltas, `removeFromCRL` in a full CRL.
 */
export function buildTbsCertList(input: TbsCertListInput): Uint8Array {
  checkNumbers(input);
  const isDelta = input.baseCrlNumber !== undefined;
  const entries: DerPart[] = [];
  for (const entry of input.entries) {
    if (entry.reason === 'removeFromCRL' && !isDelta) {
      throw new PkiError('bad-argument', 'The reason removeFromCRL belongs to delta CRLs (RFC 5280 §5.3.1).');
    }
    entries.push(entryPart(entry));
  }
  return encodeDer(
    sequence([
      integerPart(1),
      input.signatureAlgorithm.der,
      input.issuer instanceof Uint8Array ? input.issuer : input.issuer.der,
      timePart(input.thisUpdateMs),
      timePart(input.nextUpdateMs),
      entries.length === 0 ? undefined : sequence(entries), // absent when nothing is revoked (RFC 5280 §5.1.2.6)
      explicitPart(0, extensionsPart(crlExtensions(input))),
    ]),
  );
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

/** Most entries have a reason only, and there are ten of them: their encodings are made once. */
const reasonExtensions = new Map<RevocationReason, DerPart>();

function reasonExtension(reason: RevocationReason): DerPart {
  let part = reasonExtensions.get(reason);
  if (part === undefined) {
    part = encodeDer(sequence([oidPart(OID.reasonCode), octetStringOf(enumeratedPart(REVOCATION_REASONS[reason]))]));
    reasonExtensions.set(reason, part);
  }
  return part;
}

function entryPart(entry: RevokedEntryInput): DerPart {
  const { reason, invalidityMs } = entry;
  const reasonPart = reason === undefined || reason === 'unspecified' ? undefined : reasonExtension(reason);
  const invalidityPart =
    invalidityMs === undefined
      ? undefined
      : sequence([oidPart(OID.invalidityDate), octetStringOf(generalizedTimePart(invalidityMs))]);
  const hasExtensions = reasonPart !== undefined || invalidityPart !== undefined;
  return sequence([
    integerPart(entry.serialNumber),
    timePart(entry.revocationMs),
    hasExtensions ? sequence([reasonPart, invalidityPart]) : undefined,
  ]);
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
