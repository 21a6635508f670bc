// What connectors answer as certificates, requests and CRLs, judged as platforms judge it.
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
import type { MadeRequest } from './requests.ts';

/** Clocks differ. */
const CLOCK_SKEW_MS = 60_000;

/** A certificate in the form of the interface. */
export const certificateIn = (text: string): Certificate =>
  read(text, { what: 'a certificate', parse: parseCertificate });

export const crlIn = (data: string | Uint8Array): CertificateList =>
  read(Buffer.from(octetsOf(data)).toString('base64'), { what: 'a CRL', parse: parseCrl });

/** A request, signed with its own key. */
export function requestIn(text: string): CertificationRequest {
  const request = read(text, { what: 'a certification request', parse: parseCertificationRequest });
  expect(
    verifyCertificationRequest(request, nodeCrypto.verify),
    'The certification request is not signed with its own key.',
    'a request with proof of possession',
  );
  return request;
}

function read<Value>(text: string, { what, parse }: { what: string; parse: (der: Uint8Array) => Value }): Value {
  const expected = `${what}, Base64 of DER`;
  expect(
    /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text),
    `Instead of ${what} there is something that is no Base64.`,
    expected,
  );
  try {
    return parse(new Uint8Array(Buffer.from(text, 'base64')));
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw new Finding(`Instead of ${what} there is something else: ${error.message}`, expected);
  }
}

/** The certificate that was asked for. */
export function issuedFor(
  text: string,
  request: MadeRequest,
  attributes: readonly RequestAttributeDto[] = [],
): Certificate {
  const certificate = certificateIn(text);
  const expected = 'a certificate for the key and the name of the request, valid now';
  expect(equalBytes(certificate.spki, request.spki), 'The certificate is for another key.', expected);
  const name = commonName(certificate.subject);
  expect(isExplained(certificate, { request, attributes }), `The certificate has the common name ${name}.`, expected);
  const now = Date.now();
  expect(certificate.notBeforeMs <= now + CLOCK_SKEW_MS, 'The certificate is not valid yet.', expected);
  expect(certificate.notAfterMs > now, 'The certificate has expired already.', expected);
  return certificate;
}

/** Profiles may leave the common name out, repeat an alternative name as it, or take it from an attribute. */
function isExplained(
  { subject, extensions }: Certificate,
  { request, attributes }: { request: MadeRequest; attributes: readonly RequestAttributeDto[] },
): boolean {
  const name = commonName(subject);
  if (name === undefined || name === commonName(request.subject)) return true;
  const extension = findExtension(extensions, OID.subjectAltName);
  const altNames = extension === undefined ? [] : readAltNames(extension.value).map(formatGeneralName);
  const values = attributes.flatMap(({ content }) => content.map(({ data }) => data));
  return altNames.some((each) => each.endsWith(name)) || values.some((value) => String(value).includes(name));
}

/** Whether the key of the issuer made the signature. */
export const isIssuedBy = (signed: Certificate | CertificateList, issuer: Certificate): boolean =>
  isSignedBy(signed, { issuerSpki: issuer.spki, verify: nodeCrypto.verify });
