// The certificate of a new CA, decided before anything is written or signed.
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
import type { CaWish } from './ca-wish.ts';
import type { SigningAuthority } from './signing-authority.ts';

export interface CaPlanRequest {
  readonly wish: CaWish;
  readonly name: string;
  readonly spki: Uint8Array;
  /** The algorithm that the certificate will be signed with. */
  readonly algorithm: SignatureAlgorithm;
  /** Absent for a root. */
  readonly parent?: SigningAuthority;
  readonly now: Date;
}

/** Starts a minute early, so that machines whose clocks are slightly slow accept it at once. */
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
      linted(parent, () =>
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
    if (notAfterMs <= now.getTime()) throw rejected('The certificate of the parent CA has expired.');
    return { notBeforeMs, notAfterMs };
  }
}

function subjectOf({ wish, name, parent }: CaPlanRequest): Name {
  const subject = readOrReject('The subject', () =>
    buildName(wish.subject === undefined ? [{ type: 'CN', value: name }] : parseNameText(wish.subject)),
  );
  if (subject.rdns.length === 0) throw rejected('A CA needs a subject (RFC 5280 §4.1.2.6).');
  // Paths are built by names: a CA with its parent's name would look like the parent itself.
  if (parent && parent.certificate.subjectDer.toHex() === subject.der.toHex()) {
    throw rejected('A subordinate CA needs a different subject from its parent.');
  }
  return subject;
}

/** RFC 5280 §4.2.1.9. */
function pathLengthOf({ wish, parent }: CaPlanRequest): number | undefined {
  if (!parent) return wish.pathLength;
  const allowed = parent.certificate.basicConstraints?.pathLength;
  if (allowed === 0) throw rejected(`${parent.name} may not have CAs below it: its path length is 0.`);
  const wanted = wish.pathLength ?? 0;
  if (allowed !== undefined && wanted >= allowed) {
    throw rejected(`The path length must be less than ${allowed}, that of ${parent.name}.`);
  }
  return wanted;
}

function linted(parent: SigningAuthority | undefined, build: () => Uint8Array): Uint8Array {
  try {
    const tbs = build();
    const errors = lintTbsCertificate(tbs, { onlyErrors: true, ...(parent && { issuer: parent.certificate }) });
    if (errors.length === 0) return tbs;
    throw rejected(...errors.map(({ message, citation }) => `${message.replace(/\.$/, '')} (${citation}).`));
  } catch (error) {
    if (error instanceof PkiError) throw rejected(`The CA certificate cannot be encoded: ${error.message}`);
    throw error;
  }
}
