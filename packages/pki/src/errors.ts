// The only errors that this package throws. `PkiError` carries a code from a fixed set; `DerError` adds the byte
// offset. Catching `PkiError` covers everything except programming errors such as a wrong argument type.

/** Encoding errors. Each code corresponds to an X.690 (DER) rule or a limit of this package. */
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

/** All error codes: encoding errors and errors above the encoding layer. */
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
 * Any error thrown by this package. `message` is one sentence, suitable for logs and administrators; it never includes
 * key material.
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
 * An encoding error. `offset` is in bytes from the start of the buffer that was read, which is the extension's value
 * for errors inside an extension. `field` is the path of the field in the ASN.1 type, if the reader knows it.
 */
export class DerError extends PkiError {
  declare readonly code: DerErrorCode;
  readonly offset: number;
  readonly field: string | undefined;
  private readonly reason: string;

  constructor(code: DerErrorCode, offset: number, message: string = derMessages[code], field?: string) {
    super(code, `${field === undefined ? '' : `${field}: `}${message} (byte ${offset})`);
    this.name = 'DerError';
    this.offset = offset;
    this.field = field;
    this.reason = message;
  }

  /** Returns the same error with the field's path in its message. */
  inField(field: string): DerError {
    return new DerError(this.code, this.offset, this.reason, field);
  }
}

const derMessages: Readonly<Record<DerErrorCode, string>> = {
  truncated: 'The encoding ends inside an element',
  'indefinite-length': 'The indefinite length form is not allowed in DER',
  'length-not-minimal': 'The length encoding is not minimal',
  'length-too-large': 'The length field exceeds four bytes',
  'length-beyond-end': 'The length exceeds the enclosing element',
  'trailing-bytes': 'Unexpected bytes after the last element',
  'high-tag-number': 'Tag numbers above 30 are not used in PKIX',
  'unexpected-tag': 'The element has an unexpected type',
  'missing-element': 'A required element is missing',
  'too-deep': 'The encoding is too deeply nested',
  'too-many-elements': 'The encoding has too many elements',
  'bad-boolean': 'A BOOLEAN must be a single byte, 00 or FF',
  'bad-integer': 'An INTEGER must have at least one byte and no redundant leading bytes',
  'integer-too-large': 'The INTEGER is outside the allowed range',
  'bad-oid': 'The OBJECT IDENTIFIER is malformed or too long',
  'bad-bit-string': 'The BIT STRING is malformed or has unused bits set',
  'bad-null': 'A NULL must be empty',
  'bad-time': 'The time is not a valid DER UTCTime or GeneralizedTime',
  'bad-text': 'The character string is not valid for its type',
  'bad-value': 'The value is not allowed here',
  'set-not-sorted': 'The elements of a SET OF are not in ascending order',
  'duplicate-element': 'An element that may occur only once is repeated',
};

/** Returns the result of `read`, which is only a hint, or undefined if it is malformed. */
export function unlessMalformed<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

/** Type guard for `catch` blocks: `if (isPkiError(error)) return refuse(error.code)`. */
export function isPkiError(error: unknown): error is PkiError {
  return error instanceof PkiError;
}
