// Parses an OCSP request within limits. A request that cannot be processed results in the corresponding error status
// (RFC 6960 §2.3, RFC 5019 §2.2.3).
import { parseOcspRequest, PkiError, type OcspErrorStatus, type OcspRequest } from '@signetry/pki';
import { MAX_CERTIFICATES_PER_REQUEST, MAX_OCSP_REQUEST_BYTES } from '../publication-times.ts';

export type ReadOcspRequest = { readonly request: OcspRequest } | { readonly refusal: OcspErrorStatus };

export function readOcspRequest(der: Uint8Array): ReadOcspRequest {
  if (der.length > MAX_OCSP_REQUEST_BYTES) return { refusal: 'malformedRequest' };
  let request: OcspRequest;
  try {
    request = parseOcspRequest(der);
  } catch (error) {
    if (error instanceof PkiError) return { refusal: 'malformedRequest' };
    throw error;
  }
  const { certIds, unknownCritical } = request;
  if (certIds.length === 0 || certIds.length > MAX_CERTIFICATES_PER_REQUEST) return { refusal: 'malformedRequest' };
  // A response that ignores a critical extension would be worse than no response.
  if (unknownCritical.length > 0) return { refusal: 'unauthorized' };
  return { request };
}
