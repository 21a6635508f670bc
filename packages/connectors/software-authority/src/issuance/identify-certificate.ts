// Checks whether a known certificate could have been issued under a profile.
import { checkKeyPolicy, type Certificate } from '@signetry/pki';
import { gatherProblems } from '../problems.ts';
import type { CertificateProfile } from '../profiles/certificate-profile.ts';
import { checkNames } from '../profiles/name-policy.ts';

const DAY_MS = 86_400_000;

/** Rejects a certificate that does not match the profile, with a list of all mismatches. */
export function rejectMismatches(certificate: Certificate, profile: CertificateProfile): void {
  const problems = gatherProblems();
  for (const finding of checkKeyPolicy(certificate.publicKey, profile.keyPolicy)) problems.add(finding.message);
  checkNames(certificate.subjectAltNames, profile.names, problems);
  if (certificate.isCa !== (profile.ca !== undefined)) {
    problems.add(
      certificate.isCa ? 'The profile does not issue CA certificates.' : 'The profile issues only CA certificates.',
    );
  }
  const foreignUsages = (certificate.extKeyUsage ?? []).filter((oid) => !profile.extendedKeyUsages.includes(oid));
  if (foreignUsages.length > 0) {
    problems.add(`The profile does not include the extended key usages ${foreignUsages.join(', ')}.`);
  }
  const days = (certificate.notAfterMs + 1000 - certificate.notBeforeMs) / DAY_MS;
  if (days > profile.maxValidityDays) {
    problems.add(
      `The certificate is valid for ${Math.ceil(days)} days; the profile allows at most ${profile.maxValidityDays}.`,
    );
  }
  problems.refuse();
}
