// What a request asks for beyond its names and the profile does not allow. It is left out; where the profile says so,
// the request is refused with all of it.
import {
  codeOfAttributeType,
  OID,
  readBasicConstraints,
  readExtKeyUsage,
  readKeyUsage,
  type Extension,
  type RequestedCertificate,
} from '@signetry/pki';
import type { Problems } from '../problems.ts';
import type { CertificateProfile } from '../profiles/certificate-profile.ts';

export function refuseExcess(csr: RequestedCertificate, profile: CertificateProfile, problems: Problems): void {
  if (profile.excess === 'ignore') return;
  const excess = [...excessOfSubject(csr, profile), ...csr.extensions.flatMap((each) => excessOf(each, profile))];
  for (const what of excess) problems.add(`The request asks for ${what}, which the profile does not allow.`);
}

function excessOfSubject({ subject }: RequestedCertificate, profile: CertificateProfile): readonly string[] {
  const { copySubject, subjectParts } = profile;
  const types = subject.rdns.flat().map(({ type }) => type);
  const others = copySubject ? types.filter((type) => !(subjectParts?.has(type) ?? true)) : types;
  return [...new Set(others)].map((type) => `${codeOfAttributeType(type)} in the subject`);
}

/** Extensions that every certificate has, with content of the authority's own. */
const OWN: readonly string[] = [OID.subjectAltName, OID.subjectKeyIdentifier, OID.authorityKeyIdentifier];

function excessOf({ oid, value }: Extension, profile: CertificateProfile): readonly string[] {
  if (OWN.includes(oid)) return [];
  if (oid === OID.basicConstraints)
    return readBasicConstraints(value).ca === (profile.ca !== undefined)
      ? []
      : [profile.ca ? 'a certificate that is not of a CA' : 'the certificate of a CA'];
  if (oid === OID.keyUsage)
    return readKeyUsage(value)
      .filter((usage) => !profile.keyUsages.includes(usage))
      .map((usage) => `the key usage ${usage}`);
  if (oid === OID.extKeyUsage)
    return readExtKeyUsage(value)
      .filter((usage) => !profile.extendedKeyUsages.includes(usage))
      .map((usage) => `the extended key usage ${usage}`);
  if (oid === OID.tlsFeature && profile.mustStaple) return [];
  return [`the extension ${oid}`];
}
