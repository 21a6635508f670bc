// Whether a known certificate could have been issued under a profile.
import { checkKeyPolicy, type Certificate } from '@signetry/pki';
import { gatherProblems } from '../problems.ts';
import type { CertificateProfile } from '../profiles/certificate-profile.ts';
import { checkNames } from '../profiles/name-policy.ts';

const DAY_MS = 86_400_000;

/** Refuses with everything that does not fit. */
export function refuseUnfitting(certificate: Certificate, profile: CertificateProfile): void {
  const problems = gatherProblems();
  for (const finding of checkKeyPolicy(certificate.publicKey, profile.keyPolicy)) problems.add(finding.message);
  checkNames(certificate.subjectAltNames, profile.names, problems);
  if (certificate.isCa !== (profile.ca !== undefined)) {
    problems.add(certificate.isCa ? 'The profile is not for CA certificates.' : 'The profile is for CA certificates.');
  }
  const foreignUsages = (certificate.extKeyUsage ?? []).filter((oid) => !profile.extendedKeyUsages.includes(oid));
  if (foreignUsages.length > 0) {
    problems.add(`The profile does not give the extended key usages ${foreignUsages.join(', ')}.`);
  }
  const days = (certificate.notAfterMs + 1000 - certificate.notBeforeMs) / DAY_MS;
  if (days > profile.maxValidityDays) {
    problems.add(
      `The certificate is valid for ${Math.ceil(days)} days; the profile allows ${profile.maxValidityDays}.`,
    );
  }
  problems.refuse();
}
