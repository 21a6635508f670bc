// Key pairs that a host stores in tokens, in hardware or software, and that a connector can sign with. The private key
// never leaves its token. The host, not the connector, decides who can choose a key.
import type { AttributeCallback } from '@signetry/contract';

/** A key pair that can be used for signing. */
export interface TokenKey {
  readonly uuid: string;
  readonly name: string;
  /** SubjectPublicKeyInfo in DER. */
  readonly spki: Uint8Array;
}

export interface TokenSignatureRequest {
  /** Name of the signature algorithm, e.g. `SHA256withECDSA`, `SHA256withRSAandMGF1`, `Ed25519`. */
  readonly algorithm: string;
  /** The complete data to sign; the token computes the digest, if any. */
  readonly data: Uint8Array;
}

/** Both functions reject with `TokenKeyError`. */
export interface TokenKeys {
  find(keyUuid: string): Promise<TokenKey>;
  /** Returns a signature that was verified with the public key. */
  sign(keyUuid: string, request: TokenSignatureRequest): Promise<Uint8Array>;
}

/**
 * `unknown`: the key does not exist. `notAllowed`: the key must not sign, e.g. because it is disabled. `unavailable`:
 * its token cannot sign now, e.g. because it is deactivated.
 */
export type TokenKeyProblem = 'unknown' | 'notAllowed' | 'unavailable';

/**
 * Thrown if no signature left the token. The message names the key and its token, and states how to fix the problem.
 */
export class TokenKeyError extends Error {
  readonly problem: TokenKeyProblem;

  constructor(problem: TokenKeyProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TokenKeyError';
    this.problem = problem;
  }
}

export const isTokenKeyError = (error: unknown): error is TokenKeyError => error instanceof TokenKeyError;

/**
 * Lets a form offer the key pairs that the caller can sign with; for attributes of the content type `string` whose
 * values are key identifiers. Not supported by platforms that do not store keys: use it only if the context has
 * `tokenKeys`.
 */
export const signingKeys: AttributeCallback = {
  callbackContext: 'core/getSigningKeys',
  callbackMethod: 'GET',
  mappings: [],
};
