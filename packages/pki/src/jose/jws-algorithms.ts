// JWS signature algorithms (RFC 7518 §3.1, RFC 8037 §3.1) accepted with public keys. MAC algorithms and `none` are
// excluded and must never be added: a public key must not be usable as a shared secret.
import { signatureAlgorithm, type SignatureAlgorithm } from '../algorithms.ts';

export const JWS_ALGORITHMS = ['RS256', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;

export type JwsAlgorithm = (typeof JWS_ALGORITHMS)[number];

/**
 * Parameters for verifying signatures. For `EdDSA`, the key determines the curve. ECDSA signatures consist of r and s,
 * each of `coordinate` bytes.
 */
export type JwsAlgorithmFacts =
  | { readonly kind: 'rsa'; readonly algorithm: SignatureAlgorithm }
  | { readonly kind: 'ecdsa'; readonly algorithm: SignatureAlgorithm; readonly coordinate: number }
  | { readonly kind: 'eddsa' };

const ecdsa = (digest: string, coordinate: number): JwsAlgorithmFacts => ({
  kind: 'ecdsa',
  algorithm: signatureAlgorithm(`${digest}withECDSA`),
  coordinate,
});

export const JWS_ALGORITHM_FACTS: Readonly<Record<JwsAlgorithm, JwsAlgorithmFacts>> = {
  RS256: { kind: 'rsa', algorithm: signatureAlgorithm('SHA256withRSA') },
  ES256: ecdsa('SHA256', 32),
  ES384: ecdsa('SHA384', 48),
  ES512: ecdsa('SHA512', 66),
  EdDSA: { kind: 'eddsa' },
};
