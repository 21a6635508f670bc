import {
  buildCertId,
  buildOcspRequest,
  encodeDer,
  explicitPart,
  extensionsPart,
  nullPart,
  sequence,
  type IssuerHashes,
} from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import { MAX_CERTIFICATES_PER_REQUEST, MAX_OCSP_REQUEST_BYTES } from '../publication-times.ts';
import { readOcspRequest } from './read-request.ts';

const hashes: IssuerHashes = {
  digestName: 'sha1',
  issuerNameHash: new Uint8Array(20).fill(1),
  issuerKeyHash: new Uint8Array(20).fill(2),
};
const certIds = (count: number) => Array.from({ length: count }, (_, at) => buildCertId(hashes, Uint8Array.of(at + 1)));

describe('reading OCSP requests', () => {
  it('accepts the maximum number of certificates and rejects one more than that', () => {
    const most = readOcspRequest(buildOcspRequest({ certIds: certIds(MAX_CERTIFICATES_PER_REQUEST) }));
    expect('request' in most && most.request.certIds.length).toBe(MAX_CERTIFICATES_PER_REQUEST);
    const tooMany = buildOcspRequest({ certIds: certIds(MAX_CERTIFICATES_PER_REQUEST + 1) });
    expect(readOcspRequest(tooMany)).toEqual({ refusal: 'malformedRequest' });
  });

  it('rejects a request without certificates', () => {
    expect(readOcspRequest(encodeDer(sequence([sequence([sequence([])])])))).toEqual({ refusal: 'malformedRequest' });
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['text', new TextEncoder().encode('hello')],
    ['octets after the end', Uint8Array.of(...buildOcspRequest({ certIds: certIds(1) }), 0)],
    ['half a request', buildOcspRequest({ certIds: certIds(1) }).subarray(0, 40)],
    ['more than the limit', new Uint8Array(MAX_OCSP_REQUEST_BYTES + 1)],
  ])('returns malformedRequest for %s', (_what, der) => {
    expect(readOcspRequest(der)).toEqual({ refusal: 'malformedRequest' });
  });

  it('rejects an unknown critical extension', () => {
    const extension = extensionsPart([{ oid: '1.2.3.4', critical: true, part: nullPart() }]);
    const der = encodeDer(
      sequence([sequence([sequence(certIds(1).map((id) => sequence([id]))), explicitPart(2, extension)])]),
    );
    expect(readOcspRequest(der)).toEqual({ refusal: 'unauthorized' });
  });

  it('returns the nonce that the response must repeat', () => {
    const nonce = Uint8Array.of(1, 2, 3, 4);
    const read = readOcspRequest(buildOcspRequest({ certIds: certIds(1), nonce }));
    expect('request' in read && read.request.nonce).toEqual(nonce);
  });
});
