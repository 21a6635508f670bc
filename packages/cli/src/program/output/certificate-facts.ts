// Human-readable details of a certificate.
import type { CertificateDetail } from '../certificates/responses.ts';
import { stateTone, validationTone } from './certificate-tones.ts';
import { renderFacts, type Fact } from './table.ts';
import { describeTime } from './times.ts';

export function certificateFacts(
  certificate: CertificateDetail,
  { now, colour }: { readonly now: () => number; readonly colour: boolean },
): string {
  const { publicKeyAlgorithm, keySize, state, validationStatus } = certificate;
  const facts: readonly Fact[] = [
    ['Common name', certificate.commonName],
    ['State', state, stateTone(state)],
    ['Validation', validationStatus, validationTone(validationStatus)],
    ['Valid from', describeTime(certificate.notBefore, now())],
    ['Valid until', describeTime(certificate.notAfter, now())],
    ['Subject', certificate.subjectDn],
    ...alternativeNames(certificate),
    ['Issuer', certificate.issuerDn],
    ['Serial number', certificate.serialNumber],
    ['Fingerprint', certificate.fingerprint],
    ['Public key', keyText(publicKeyAlgorithm, keySize)],
    ['Signature', certificate.signatureAlgorithm],
    ['Key usage', certificate.keyUsage?.join(', ')],
    ['Extended key usage', certificate.extendedKeyUsage?.join(', ')],
    ['RA profile', certificate.raProfile?.name],
    ['Owner', certificate.owner],
    ['Groups', certificate.groups?.map(({ name }) => name).join(', ')],
    ['Archived', certificate.archived === true ? 'yes' : undefined],
    ['UUID', certificate.uuid],
  ];
  return renderFacts(facts, { colour });
}

/** Returns the SANs, or the names in the CSR if the certificate has not been issued yet. */
function alternativeNames({ subjectAlternativeNames, certificateRequest }: CertificateDetail): Fact[] {
  const names = subjectAlternativeNames ?? certificateRequest?.subjectAlternativeNames ?? {};
  return Object.entries(names).map(([kind, values]) => [kind, values.join(', ')]);
}

/** Formats `RSA 2048` or, for post-quantum keys, the family with its parameter set: `ML-DSA-65`. */
const keyText = (algorithm: string, size: number): string =>
  /^(?:Hash)?(?:ML-KEM|ML-DSA|SLH-DSA)$/.test(algorithm) ? `${algorithm}-${size}` : `${algorithm} ${size}`;
