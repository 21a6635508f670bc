// The subject and the issuer of a certificate, from its encoding: no text of a name tells one attribute from a value
// that looks like one. Loaded with the page of a certificate.
import {
  codeOfAttributeType,
  formatNameRfc4514,
  readCertificate,
  readCertificationRequest,
  type Name,
  type NameCodes,
} from '@signetry/pki';

export interface NamePart {
  /** Short code such as `CN`, or a dotted identifier. */
  readonly type: string;
  readonly value: string;
  /** Stands in one relative distinguished name with the part before it. */
  readonly isJoined: boolean;
}

export interface ReadName {
  /** The most specific part first. */
  readonly parts: readonly NamePart[];
  /** RFC 4514 text, whose escapes leave no doubt. */
  readonly text: string;
}

export interface ReadNames {
  readonly subject: ReadName;
  /** Absent for a request. */
  readonly issuer?: ReadName;
}

/** From Base64 of a certificate in DER. */
export function readNames(certificate: string, codes: NameCodes): ReadNames {
  const { subject, issuer } = readCertificate(certificate);
  return { subject: readName(subject, codes), issuer: readName(issuer, codes) };
}

/** From Base64 of a certification request in DER. */
export const readRequestedNames = (request: string, codes: NameCodes): ReadNames => ({
  subject: readName(readCertificationRequest(request).subject, codes),
});

const readName = (name: Name, codes: NameCodes): ReadName => ({
  parts: name.rdns
    .toReversed()
    .flatMap((rdn) =>
      rdn.map(({ type, value }, place) => ({ type: codeOfAttributeType(type, codes), value, isJoined: place > 0 })),
    ),
  text: formatNameRfc4514(name, codes),
});
