// Revocation data published by the platform, fetched and verified like clients do, without authentication.
import {
  buildCertId,
  buildOcspRequest,
  isSignedBy,
  issuerHashes,
  parseCertificate,
  parseCrl,
  parseOcspResponse,
  revokedEntries,
  verifyOcspResponse,
  type CertificateList,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { expect } from 'vitest';

export async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  expect(response.status, url).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** URLs under which the platform publishes data about an authority. */
export const downloadUrlsOf = ({ http }: { readonly http: string }, authorityUuid: string) => ({
  crl: `${http}/crl/${authorityUuid}.crl`,
  ocsp: `${http}/ocsp/${authorityUuid}`,
  issuer: `${http}/ca/${authorityUuid}.crt`,
});

/** Returns the current CRL, verified with its issuer's key. */
export async function fetchCrl(url: string, issuer: Uint8Array): Promise<CertificateList> {
  const crl = parseCrl(await download(url));
  expect(isSignedBy(crl, { issuerSpki: parseCertificate(issuer).spki, verify: nodeCrypto.verify }), url).toBe(true);
  return crl;
}

/** Returns the serial numbers in a CRL, in lowercase hex without leading zeros. */
export const serialsIn = (crl: CertificateList): string[] =>
  [...revokedEntries(crl)].map(({ serialNumber }) => serialNumber);

/** Returns the status of a certificate from the OCSP responder; the response is verified. */
export async function askOcsp(
  url: string,
  { certificate, issuer }: { readonly certificate: Uint8Array; readonly issuer: Uint8Array },
): Promise<string> {
  const [subject, authority] = [parseCertificate(certificate), parseCertificate(issuer)];
  const certId = buildCertId(
    issuerHashes(authority, { digestName: 'sha1', digest: nodeCrypto.digest }),
    subject.serialBytes,
  );
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request' },
    body: Buffer.from(buildOcspRequest({ certIds: [certId] })),
  });
  const answer = parseOcspResponse(new Uint8Array(await response.arrayBuffer()));
  if (answer.status !== 'successful') return answer.status;
  const verdict = verifyOcspResponse(answer.basic, {
    certificate: subject,
    issuer: authority,
    nowMs: Date.now(),
    verify: nodeCrypto.verify,
    digest: nodeCrypto.digest,
  });
  return verdict.trusted ? verdict.certStatus.status : verdict.refusal;
}
