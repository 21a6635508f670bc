// A certificate's subject and issuer, read from its encoding: in the text form, a value can look like an additional
// attribute. Loaded together with the certificate page.
import {
  codeOfAttributeType,
  formatNameRfc4514,
  readCertificate,
  readCertificationRequest,
  type Name,
  type NameCodes,
} from '@signetry/pki';

export interface NamePart {
  /** Short code such as `CN`, or a dotted-decimal OID. */
  readonly type: string;
  readonly value: string;
  /** Whether this part belongs to the same relative distinguished name as the previous part. */
  readonly isJoined: boolean;
}

export interface ReadName {
  /** Most specific part first. */
  readonly parts: readonly NamePart[];
  /** The name as RFC 4514 text, which is unambiguous because it is escaped. */
  readonly text: string;
}

export interface ReadNames {
  readonly subject: ReadName;
  /** Absent for a CSR. */
  readonly issuer?: ReadName;
}

/** Reads the names from a Base64-encoded DER certificate. */
export function readNames(certificate: string, codes: NameCodes): ReadNames {
  const { subject, issuer } = readCertificate(certificate);
  return { subject: readName(subject, codes), issuer: readName(issuer, codes) };
}

/** Reads the names from a Base64-encoded DER CSR. */
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
