// Checks certificates, CSRs and CRLs from connectors as platforms do.
import { octetsOf } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import {
  commonName,
  equalBytes,
  findExtension,
  formatGeneralName,
  isPkiError,
  isSignedBy,
  OID,
  parseCertificate,
  parseCertificationRequest,
  parseCrl,
  readAltNames,
  verifyCertificationRequest,
  type Certificate,
  type CertificateList,
  type CertificationRequest,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { expect, Finding } from '../session.ts';
import type { TestRequest } from './requests.ts';

/** Tolerated clock skew. */
const CLOCK_SKEW_MS = 60_000;

/** Parses a certificate in the encoding of the interface. */
export const certificateIn = (text: string): Certificate =>
  read(text, { what: 'a certificate', parse: parseCertificate });

export const crlIn = (data: string | Uint8Array): CertificateList =>
  read(Buffer.from(octetsOf(data)).toString('base64'), { what: 'a CRL', parse: parseCrl });

/** Parses a CSR and requires that it is signed with its own key. */
export function requestIn(text: string): CertificationRequest {
  const request = read(text, { what: 'a CSR', parse: parseCertificationRequest });
  expect(
    verifyCertificationRequest(request, nodeCrypto.verify),
    'The CSR is not signed with its own key.',
    'a CSR with proof of possession',
  );
  return request;
}

function read<Value>(text: string, { what, parse }: { what: string; parse: (der: Uint8Array) => Value }): Value {
  const expected = `${what}, Base64 of DER`;
  expect(
    /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text),
    `The response does not contain ${what}: the value is not Base64.`,
    expected,
  );
  try {
    return parse(new Uint8Array(Buffer.from(text, 'base64')));
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw new Finding(`The response does not contain ${what}: ${error.message}`, expected);
  }
}

/** Parses a certificate and requires that it matches the CSR. */
export function requireIssuedFor(
  text: string,
  request: TestRequest,
  attributes: readonly RequestAttributeDto[] = [],
): Certificate {
  const certificate = certificateIn(text);
  const expected = 'a valid certificate with the key and the name in the CSR';
  expect(equalBytes(certificate.spki, request.spki), 'The certificate contains a different key.', expected);
  const name = commonName(certificate.subject);
  expect(
    isAllowedCommonName(certificate, { request, attributes }),
    `The common name of the certificate is ${name}.`,
    expected,
  );
  const now = Date.now();
  expect(certificate.notBeforeMs <= now + CLOCK_SKEW_MS, 'The certificate is not valid yet.', expected);
  expect(certificate.notAfterMs > now, 'The certificate has expired.', expected);
  return certificate;
}

/** Profiles may omit the common name, copy it from a SAN, or set it from an attribute. */
function isAllowedCommonName(
  { subject, extensions }: Certificate,
  { request, attributes }: { request: TestRequest; attributes: readonly RequestAttributeDto[] },
): boolean {
  const name = commonName(subject);
  if (name === undefined || name === commonName(request.subject)) return true;
  const extension = findExtension(extensions, OID.subjectAltName);
  const altNames = extension === undefined ? [] : readAltNames(extension.value).map(formatGeneralName);
  const values = attributes.flatMap(({ content }) => content.map(({ data }) => data));
  return altNames.some((each) => each.endsWith(name)) || values.some((value) => String(value).includes(name));
}

/** Whether the signature was created with the issuer's key. */
export const isIssuedBy = (signed: Certificate | CertificateList, issuer: Certificate): boolean =>
  isSignedBy(signed, { issuerSpki: issuer.spki, verify: nodeCrypto.verify });
