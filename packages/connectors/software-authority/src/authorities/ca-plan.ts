// Plans a new CA's certificate before anything is stored or signed.
import { rejected } from '@signetry/connector-sdk';
import {
  authorityInfoAccessExtension,
  authorityKeyIdentifierExtension,
  basicConstraintsExtension,
  buildName,
  buildTbsCertificate,
  crlDistributionPointsExtension,
  keyIdentifier,
  keyUsageExtension,
  lintTbsCertificate,
  parseNameText,
  parsePublicKey,
  PkiError,
  subjectKeyIdentifierExtension,
  type ExtensionInput,
  type Name,
  type SignatureAlgorithm,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { CertificatePlan } from '../issuance/certificate-plan.ts';
import { readOrReject } from '../problems.ts';
import type { CaSpec } from './ca-spec.ts';
import type { SigningAuthority } from './signing-authority.ts';

export interface CaPlanRequest {
  readonly wish: CaSpec;
  readonly name: string;
  readonly spki: Uint8Array;
  /** Algorithm that will be used to sign the certificate. */
  readonly algorithm: SignatureAlgorithm;
  /** Absent for a root. */
  readonly parent?: SigningAuthority;
  readonly now: Date;
}

/** Certificates are backdated by one minute, so that machines with slightly slow clocks accept them immediately. */
const BACKDATE_MS = 60_000;

export function planCa(request: CaPlanRequest): CertificatePlan {
  const { wish, spki, algorithm, parent, now } = request;
  const publicKey = parsePublicKey(spki);
  const subject = subjectOf(request);
  const validity = validityOf(request);
  const pathLength = pathLengthOf(request);
  const extensions: ExtensionInput[] = [
    basicConstraintsExtension({ ca: true, ...(pathLength === undefined ? {} : { pathLength }) }),
    keyUsageExtension(['keyCertSign', 'cRLSign']),
    subjectKeyIdentifierExtension(keyIdentifier(publicKey, nodeCrypto.digest)),
    ...(parent ? [authorityKeyIdentifierExtension(parent.keyIdentifier)] : []),
    ...(wish.urls.crl.length > 0 ? [crlDistributionPointsExtension(wish.urls.crl)] : []),
    ...(wish.urls.ocsp.length + wish.urls.caIssuers.length > 0 ? [authorityInfoAccessExtension(wish.urls)] : []),
  ];
  return {
    publicKey,
    notAfterMs: validity.notAfterMs,
    namesOverridden: true,
    tbsFor: (serialNumber) =>
      buildLinted(parent, () =>
        buildTbsCertificate({
          serialNumber,
          signatureAlgorithm: algorithm,
          issuer: parent?.certificate.subjectDer ?? subject,
          subject,
          ...validity,
          spki,
          extensions,
        }),
      ),
  };

  function validityOf({ wish: { validityYears } }: CaPlanRequest): { notBeforeMs: number; notAfterMs: number } {
    const start = Math.floor((now.getTime() - BACKDATE_MS) / 1000) * 1000;
    const notBeforeMs = Math.max(start, parent?.certificate.notBeforeMs ?? start);
    const end = new Date(notBeforeMs);
    end.setUTCFullYear(end.getUTCFullYear() + validityYears);
    const notAfterMs = Math.min(end.getTime() - 1000, parent?.certificate.notAfterMs ?? Infinity);
    if (notAfterMs <= now.getTime()) throw rejected('The parent CA certificate has expired.');
    return { notBeforeMs, notAfterMs };
  }
}

function subjectOf({ wish, name, parent }: CaPlanRequest): Name {
  const subject = readOrReject('The subject', () =>
    buildName(wish.subject === undefined ? [{ type: 'CN', value: name }] : parseNameText(wish.subject)),
  );
  if (subject.rdns.length === 0) throw rejected('A CA must have a subject (RFC 5280 §4.1.2.6).');
  // Certification paths are built by name, so a CA with its parent's name would be mistaken for the parent.
  if (parent && parent.certificate.subjectDer.toHex() === subject.der.toHex()) {
    throw rejected('The subject of a subordinate CA must differ from that of its parent.');
  }
  return subject;
}

/** RFC 5280 §4.2.1.9. */
function pathLengthOf({ wish, parent }: CaPlanRequest): number | undefined {
  if (!parent) return wish.pathLength;
  const allowed = parent.certificate.basicConstraints?.pathLength;
  if (allowed === 0) throw rejected(`${parent.name} cannot issue CA certificates: its path length is 0.`);
  const wanted = wish.pathLength ?? 0;
  if (allowed !== undefined && wanted >= allowed) {
    throw rejected(`The path length must be less than ${allowed}, the path length of ${parent.name}.`);
  }
  return wanted;
}

function buildLinted(parent: SigningAuthority | undefined, build: () => Uint8Array): Uint8Array {
  try {
    const tbs = build();
    const errors = lintTbsCertificate(tbs, { onlyErrors: true, ...(parent && { issuer: parent.certificate }) });
    if (errors.length === 0) return tbs;
    throw rejected(...errors.map(({ message, citation }) => `${message.replace(/\.$/, '')} (${citation}).`));
  } catch (error) {
    if (error instanceof PkiError) throw rejected(`Cannot encode the CA certificate: ${error.message}`);
    throw error;
  }
}
