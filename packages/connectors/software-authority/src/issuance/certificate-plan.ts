// A certificate plan: everything except the serial number, decided and checked before anything is stored or signed.
import { rejected } from '@signetry/connector-sdk';
import {
  buildTbsCertificate,
  checkKeyPolicy,
  equalBytes,
  lintTbsCertificate,
  parseTbsCertificate,
  PkiError,
  validatePath,
  type Certificate,
  type ExtensionInput,
  type PublicKey,
  type RequestedCertificate,
} from '@signetry/pki';
import type { SigningAuthority } from '../authorities/signing-authority.ts';
import { gatherProblems, type Problems } from '../problems.ts';
import type { CertificateProfile } from '../profiles/certificate-profile.ts';
import { shardOfSerial } from '../revocation/crl-shards.ts';
import { certificateExtensions, usagesFor } from './certificate-extensions.ts';
import { applyProfile, type DesiredNames } from './certificate-names.ts';
import { rejectExcess } from './excess.ts';
import { chooseValidity, type ValiditySpec } from './validity.ts';

export interface PlanRequest {
  readonly authority: SigningAuthority;
  readonly profile: CertificateProfile;
  readonly csr: RequestedCertificate;
  readonly names: (problems: Problems) => DesiredNames;
  readonly validity: ValiditySpec;
  readonly nowMs: number;
}

export interface CertificatePlan {
  readonly publicKey: PublicKey;
  readonly notAfterMs: number;
  readonly namesOverridden: boolean;
  /** Returns the data to be signed; rejects certificates that violate the certificate rules. */
  tbsFor(serialNumber: Uint8Array): Uint8Array;
}

/** Rejects an invalid request with a list of all problems. */
export function planCertificate(request: PlanRequest): CertificatePlan {
  const { authority, profile, csr, nowMs } = request;
  const { publicKey } = csr;
  const problems = gatherProblems();
  checkKey(request, problems);
  checkPathLength(request, problems);
  rejectExcess(csr, profile, problems);
  const names = applyProfile(request.names(problems), profile, problems);
  const validity = chooseValidity(request.validity, { nowMs, profile, issuer: authority.certificate }, problems);
  problems.refuse();
  const withShard = (crlShard: number | undefined): readonly ExtensionInput[] =>
    certificateExtensions({ issuer: authority, profile, names, publicKey, crlShard });
  const { crlShards } = authority;
  const same = crlShards === 1 ? withShard(undefined) : undefined;
  return {
    publicKey,
    notAfterMs: validity.notAfterMs,
    namesOverridden: names.overridden,
    tbsFor: (serialNumber) =>
      buildLinted(request, () =>
        buildTbsCertificate({
          serialNumber,
          signatureAlgorithm: authority.algorithm,
          // The issuer is encoded exactly as the subject of the CA certificate, since path building compares names.
          issuer: authority.certificate.subjectDer,
          subject: names.subject,
          ...validity,
          spki: publicKey.spki,
          extensions: same ?? withShard(shardOfSerial(serialNumber, crlShards)),
        }),
      ),
  };
}

function checkKey({ authority, profile, csr }: PlanRequest, problems: Problems): void {
  const { publicKey } = csr;
  for (const finding of checkKeyPolicy(publicKey, profile.keyPolicy)) problems.add(finding.message);
  if (equalBytes(publicKey.spki, authority.certificate.spki))
    problems.add("The key in the request is the CA's own key.");
  if (profile.keyUsages.length > 0 && usagesFor(profile.keyUsages, publicKey.family).length === 0) {
    problems.add(`No key usage in the profile is suitable for a key of type ${publicKey.name}.`);
  }
}

/** The path length must be less than the issuer's (RFC 5280 §4.2.1.9). */
function checkPathLength({ authority, profile }: PlanRequest, problems: Problems): void {
  const allowed = authority.certificate.basicConstraints?.pathLength;
  if (!profile.ca || allowed === undefined) return;
  if (allowed === 0) problems.add('This CA cannot issue CA certificates: its path length is 0.');
  else if (profile.ca.pathLength >= allowed) {
    problems.add(`The path length must be less than ${allowed}, the path length of this CA.`);
  }
}

/** Lints before the key is used, so that a bad certificate is never signed. */
function buildLinted({ authority, profile, nowMs }: PlanRequest, build: () => Uint8Array): Uint8Array {
  try {
    const tbs = build();
    const errors = lintTbsCertificate(tbs, {
      issuer: authority.certificate,
      parameters: { 'key-policy': profile.keyPolicy },
      onlyErrors: true,
    });
    if (errors.length > 0)
      throw rejected(...errors.map(({ message, citation }) => `${message.replace(/\.$/, '')} (${citation}).`));
    if (authority.constrainedPath) rejectConstrainedNames(tbs, authority.constrainedPath, nowMs);
    return tbs;
  } catch (error) {
    if (error instanceof PkiError) throw rejected(`Cannot encode the certificate: ${error.message}`);
    throw error;
  }
}

/**
 * A certificate that violates the name constraints of a superior CA would not be valid anywhere (RFC 5280 §4.2.1.10).
 */
function rejectConstrainedNames(tbs: Uint8Array, path: readonly Certificate[], nowMs: number): void {
  // The certificate is not signed yet, and its superior CAs' signatures need not be checked.
  const { certificates } = validatePath([parseTbsCertificate(tbs), ...path], { nowMs, verify: () => true });
  const check = certificates[0]?.checks.nameConstraints;
  if (check?.status === 'failed') throw rejected(`The CA cannot issue certificates for these names: ${check.message}`);
}
