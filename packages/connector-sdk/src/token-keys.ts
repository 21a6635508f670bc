// Key pairs that a host keeps in tokens, in hardware or software, and lets a connector sign with. The private key never
// leaves its token, and the connector has no part in who may choose it: its host judges that.
import type { AttributeCallback } from '@signetry/contract';

/** A key pair that may sign. */
export interface TokenKey {
  readonly uuid: string;
  readonly name: string;
  /** DER of the SubjectPublicKeyInfo. */
  readonly spki: Uint8Array;
}

export interface TokenSignatureRequest {
  /** As algorithms are named, e.g. `SHA256withECDSA`, `SHA256withRSAandMGF1`, `Ed25519`. */
  readonly algorithm: string;
  /** Whole: the token computes what digest there is. */
  readonly data: Uint8Array;
}

/** Both refuse with `TokenKeyError`. */
export interface TokenKeys {
  find(keyUuid: string): Promise<TokenKey>;
  /** The signature was verified with the public key. */
  sign(keyUuid: string, request: TokenSignatureRequest): Promise<Uint8Array>;
}

/**
 * `unknown`: there is no such key. `notAllowed`: the key may not sign, e.g. because it is disabled. `unavailable`: its
 * token does not sign now, e.g. because it is deactivated.
 */
export type TokenKeyProblem = 'unknown' | 'notAllowed' | 'unavailable';

/** No signature left the token. The message says for which key, in which token, and what would help. */
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
 * Lets a form offer the key pairs that the caller may sign with; for attributes of the content type `string` whose
 * values are identifiers of keys. Platforms that keep no keys do not answer it: use it only where the context has
 * `tokenKeys`.
 */
export const signingKeys: AttributeCallback = {
  callbackContext: 'core/getSigningKeys',
  callbackMethod: 'GET',
  mappings: [],
};
