// The only errors this package throws. `PkiError` carries a code from a closed catalogue, `DerError` adds the byte
// offset. A caller that catches `PkiError` has caught everything; programming mistakes (a wrong argument type) are not
// caught here.

/** Faults of an encoding. Each names the rule of X.690 (DER) or of this package's bounds that the bytes break. */
export type DerErrorCode =
  | 'truncated'
  | 'indefinite-length'
  | 'length-not-minimal'
  | 'length-too-large'
  | 'length-beyond-end'
  | 'trailing-bytes'
  | 'high-tag-number'
  | 'unexpected-tag'
  | 'missing-element'
  | 'too-deep'
  | 'too-many-elements'
  | 'bad-boolean'
  | 'bad-integer'
  | 'integer-too-large'
  | 'bad-oid'
  | 'bad-bit-string'
  | 'bad-null'
  | 'bad-time'
  | 'bad-text'
  | 'bad-value'
  | 'set-not-sorted'
  | 'duplicate-element';

/** Faults above the encoding. */
export type PkiErrorCode =
  | DerErrorCode
  | 'bad-pem'
  | 'bad-base64'
  | 'bad-hex'
  | 'bad-name'
  | 'bad-argument'
  | 'bad-key'
  | 'bad-signature'
  | 'bound-exceeded'
  | 'unsupported-algorithm'
  | 'unsupported-version'
  | 'algorithm-mismatch'
  | 'wrong-password'
  | 'no-recipient'
  | 'cannot-decrypt'
  | 'encrypted';

/**
 * Any refusal by this package. `message` is one sentence fit for a log or an administrator; it never quotes key
 * material.
 */
export class PkiError extends Error {
  readonly code: PkiErrorCode;

  constructor(code: PkiErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PkiError';
    this.code = code;
  }
}

/**
 * A refusal of bytes. `offset` counts octets from the start of the buffer that was being read; inside an extension that
 * is the extension's value.
 */
export class DerError extends PkiError {
  declare readonly code: DerErrorCode;
  readonly offset: number;

  constructor(code: DerErrorCode, offset: number, message: string = derMessages[code]) {
    super(code, `${message} (octet ${offset})`);
    this.name = 'DerError';
    this.offset = offset;
  }
}

const derMessages: Readonly<Record<DerErrorCode, string>> = {
  truncated: 'The encoding ends inside an element',
  'indefinite-length': 'DER does not allow the indefinite length form',
  'length-not-minimal': 'The length is not encoded in the fewest octets',
  'length-too-large': 'The length field is larger than four octets',
  'length-beyond-end': 'The length reaches beyond the enclosing element',
  'trailing-bytes': 'Unexpected octets follow the last element',
  'high-tag-number': 'Tag numbers above 30 are not used in PKIX',
  'unexpected-tag': 'Another type was expected here',
  'missing-element': 'A required element is missing',
  'too-deep': 'The encoding is nested too deeply',
  'too-many-elements': 'The encoding has too many elements',
  'bad-boolean': 'A BOOLEAN must be one octet of 00 or FF',
  'bad-integer': 'An INTEGER must have at least one octet and no superfluous leading octets',
  'integer-too-large': 'The INTEGER is out of the range expected here',
  'bad-oid': 'The OBJECT IDENTIFIER is malformed or too long',
  'bad-bit-string': 'The BIT STRING is malformed or has unused bits set',
  'bad-null': 'A NULL must be empty',
  'bad-time': 'The time is not a valid UTCTime or GeneralizedTime of DER',
  'bad-text': 'The character string does not fit its type',
  'bad-value': 'The value is not allowed here',
  'set-not-sorted': 'The elements of a SET OF are not in ascending order',
  'duplicate-element': 'An element that may appear once appears twice',
};

/** A value that serves as a hint only: absent also where it is malformed. */
export function unlessMalformed<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

/** Narrowing test for `catch` blocks: `if (isPkiError(error)) return refuse(error.code)`. */
export function isPkiError(error: unknown): error is PkiError {
  return error instanceof PkiError;
}
