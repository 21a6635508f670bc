// The only error class in this directory. Protocols map `reason` to their own error types, such as `malformed`,
// `badSignatureAlgorithm`, `badPublicKey` and `unauthorized` in ACME.
import { PkiError, type PkiErrorCode } from '../errors.ts';

/**
 * Reason for rejecting a JOSE object: malformed; unknown algorithm, or an algorithm that does not match the key;
 * unsupported or invalid public key; signature or MAC verification failed.
 */
export type JoseReason = 'malformed' | 'bad-algorithm' | 'bad-key' | 'bad-signature';

/** Error codes for callers that do not handle JOSE reasons. */
const CODES: Readonly<Record<JoseReason, PkiErrorCode>> = {
  malformed: 'bad-argument',
  'bad-algorithm': 'unsupported-algorithm',
  'bad-key': 'bad-key',
  'bad-signature': 'bad-signature',
};

/** Rejection of a JWS or JWK. `message` is a fixed sentence that never quotes the input. */
export class JoseError extends PkiError {
  readonly reason: JoseReason;

  constructor(reason: JoseReason, message: string, options?: ErrorOptions) {
    super(CODES[reason], message, options);
    this.name = 'JoseError';
    this.reason = reason;
  }
}
