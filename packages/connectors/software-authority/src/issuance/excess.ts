// Parts of a request, other than names, that the profile does not allow. Depending on the profile, they are either
// omitted, or the request is rejected with a list of all of them.
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

export function rejectExcess(csr: RequestedCertificate, profile: CertificateProfile, problems: Problems): void {
  if (profile.excess === 'ignore') return;
  const excess = [...excessOfSubject(csr, profile), ...csr.extensions.flatMap((each) => excessOf(each, profile))];
  for (const what of excess) problems.add(`The request includes ${what}, which the profile does not allow.`);
}

function excessOfSubject({ subject }: RequestedCertificate, profile: CertificateProfile): readonly string[] {
  const { copySubject, subjectParts } = profile;
  const types = subject.rdns.flat().map(({ type }) => type);
  const others = copySubject ? types.filter((type) => !(subjectParts?.has(type) ?? true)) : types;
  return [...new Set(others)].map((type) => `${codeOfAttributeType(type)} in the subject`);
}

/** Extensions that every certificate has, with values set by the authority. */
const OWN: readonly string[] = [OID.subjectAltName, OID.subjectKeyIdentifier, OID.authorityKeyIdentifier];

function excessOf({ oid, value }: Extension, profile: CertificateProfile): readonly string[] {
  if (OWN.includes(oid)) return [];
  if (oid === OID.basicConstraints)
    return readBasicConstraints(value).ca === (profile.ca !== undefined)
      ? []
      : [profile.ca ? 'basic constraints of an end-entity certificate' : 'basic constraints of a CA certificate'];
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
