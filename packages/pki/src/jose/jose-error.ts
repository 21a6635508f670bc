// The one error of this folder. A protocol maps `reason` to its own words, as ACME does to `malformed`,
// `badSignatureAlgorithm`, `badPublicKey` and `unauthorized`.
import { PkiError, type PkiErrorCode } from '../errors.ts';

/**
 * Why a JOSE object is refused: it breaks its format; its algorithm is unknown or does not fit the key; its key is no
 * public key that is read here; its signature or MAC does not verify.
 */
export type JoseReason = 'malformed' | 'bad-algorithm' | 'bad-key' | 'bad-signature';

/** Error codes for callers that know nothing about JOSE. */
const CODES: Readonly<Record<JoseReason, PkiErrorCode>> = {
  malformed: 'bad-argument',
  'bad-algorithm': 'unsupported-algorithm',
  'bad-key': 'bad-key',
  'bad-signature': 'bad-signature',
};

/** A refused JWS or JWK. `message` is one fixed sentence: it repeats nothing of what was received. */
export class JoseError extends PkiError {
  readonly reason: JoseReason;

  constructor(reason: JoseReason, message: string, options?: ErrorOptions) {
    super(CODES[reason], message, options);
    this.name = 'JoseError';
    this.reason = reason;
  }
}
