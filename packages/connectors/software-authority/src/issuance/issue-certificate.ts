// Issues and renews certificates: reads the request, applies the profile, and signs the certificate exactly once.
import { createHash } from 'node:crypto';
import { readDateTime, readInteger, readString, rejected, validateAttributes } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import type { Certificate } from '@signetry/pki';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import { ISSUE, issueAttributes } from '../attributes/issue-attributes.ts';
import type { CertificateProfile } from '../profiles/certificate-profile.ts';
import type { CrlShards } from '../revocation/crl-shards.ts';
import { desiredNamesOnIssue, desiredNamesOnRenewal } from './certificate-names.ts';
import { planCertificate } from './certificate-plan.ts';
import { readRequest } from './certification-request.ts';
import type { IssuedCertificate, SignOnce } from './signed-once.ts';

export interface IssueRequest {
  readonly authority: SigningAuthority;
  readonly readProfile: () => CertificateProfile;
  readonly request: string;
  readonly format: string;
  readonly idempotencyKey: string | undefined;
  /** Nothing is signed before this promise resolves. */
  readonly committed?: Promise<void> | undefined;
  readonly shards: Pick<CrlShards, 'announce'>;
}

export function issueCertificate(
  signOnce: SignOnce,
  issue: IssueRequest & { readonly attributes: readonly RequestAttributeDto[] },
): Promise<IssuedCertificate> {
  const { authority, attributes, idempotencyKey, committed } = issue;
  return signOnce({
    authority,
    operation: 'issue',
    idempotencyKey,
    committed,
    // The digest excludes the profile: a call repeated after the profile was edited is still the same request.
    requestDigest: digestOf('issue', issue.request, JSON.stringify(attributes)),
    plan: async (now) => {
      rejectInvalidAttributes(attributes);
      const profile = issue.readProfile();
      const request = await readRequest(issue);
      await issue.shards.announce(authority, profile.urls.crl);
      const wish = { subject: readString(attributes, ISSUE.subject), altNames: readString(attributes, ISSUE.altNames) };
      return planCertificate({
        authority,
        profile,
        csr: request.csr,
        names: (problems) => desiredNamesOnIssue(request, wish, problems),
        validity: {
          days: readInteger(attributes, ISSUE.validityDays),
          notBefore: readDateTime(attributes, ISSUE.notBefore),
          notAfter: readDateTime(attributes, ISSUE.notAfter),
        },
        nowMs: now.getTime(),
      });
    },
  });
}

/** Facts about the certificate to renew. */
export interface OldCertificate {
  readonly certificate: Certificate;
  readonly namesOverridden: boolean;
}

export function renewCertificate(
  signOnce: SignOnce,
  renewal: IssueRequest & {
    readonly oldCertificate: string;
    /** Finds the old certificate; rejects if it cannot be renewed. */
    readonly findOld: () => Promise<OldCertificate>;
  },
): Promise<IssuedCertificate> {
  const { authority, idempotencyKey } = renewal;
  return signOnce({
    authority,
    operation: 'renew',
    idempotencyKey,
    requestDigest: digestOf('renew', renewal.request, renewal.oldCertificate),
    plan: async (now) => {
      const old = await renewal.findOld();
      const profile = renewal.readProfile();
      const request = await readRequest(renewal);
      await renewal.shards.announce(authority, profile.urls.crl);
      return planCertificate({
        authority,
        profile,
        csr: request.csr,
        names: () => desiredNamesOnRenewal(request, old),
        validity: {},
        nowMs: now.getTime(),
      });
    },
  });
}

export function rejectInvalidAttributes(attributes: readonly RequestAttributeDto[]): void {
  if (attributes.length === 0) return;
  const problems = validateAttributes(issueAttributes(), attributes);
  if (problems.length > 0) throw rejected(...problems);
}

/** Returns a digest that does not depend on whitespace in Base64. */
function digestOf(operation: string, ...parts: readonly string[]): Uint8Array {
  const hash = createHash('sha256').update(operation);
  for (const part of parts) hash.update('\0').update(part.replace(/\s+/g, ''));
  return hash.digest();
}
