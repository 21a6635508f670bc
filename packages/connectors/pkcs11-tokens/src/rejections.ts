// Errors returned to callers when a library or a token rejects a call.
import { ConnectorError, notFound, rejected, unavailable } from '@signetry/connector-sdk';
import type { Library } from './libraries.ts';
import { CKF, CKR } from './module/constants.ts';
import { isSessionLost } from './module/failures.ts';
import { ModuleError } from './module/module-error.ts';
import { REASONS, REPEATABLE, type ModuleOperation } from './module/protocol.ts';

export interface RejectionFacts {
  readonly library: Pick<Library, 'name' | 'path'>;
  readonly operation: ModuleOperation;
  /** Absent if the call was about the library as a whole. */
  readonly token?: { readonly name: string; readonly label: string; readonly serial: string } | undefined;
  readonly keyUuid?: string | undefined;
}

/** Error texts for return values that concern the request, not the token's state. */
const WORDS: Readonly<Record<number, string>> = {
  0x13: 'it does not accept the value of a key attribute',
  0x20: 'the data is not suitable for the mechanism and key',
  0x21: 'the data is too long or too short for the mechanism and key',
  0x31: 'it has no memory left',
  0x40: 'the encrypted data cannot be decrypted with this key and mechanism',
  0x41: 'the length of the encrypted data does not match the key',
  0x54: 'the library does not support this function',
  0x62: 'the key size does not match the mechanism',
  0x63: 'the key type does not match the mechanism',
  0x68: 'the key does not permit this operation',
  0x70: 'it does not support the mechanism',
  0x71: 'it does not support these mechanism parameters',
  0x7: 'it does not support these mechanism parameters',
  0xb5: 'the session is read-only',
  0xd1: 'it does not support this combination of key attributes',
  0xe2: 'it is write-protected',
  0x130: 'it does not support the curve',
  0x140: 'it does not support the curve',
};

/** Returns the error for the caller; errors that do not come from a library are returned unchanged. */
export function rejectionOf(error: unknown, facts: RejectionFacts): unknown {
  if (!(error instanceof ModuleError)) return error;
  const { library, token, keyUuid } = facts;
  const where = token ? `Token "${token.name}"` : `Library ${library.name}`;
  switch (error.reason) {
    case 'binding':
      return unavailable(describeMissingBinding(error.message));
    case 'library':
      return unavailable(`Cannot load library ${library.name} (${library.path}): ${error.message}`);
    case REASONS.tokenMissing:
      return unavailable(
        `${where} (label "${token?.label}", serial number ${token?.serial}) was not found in library ${library.name}.`,
      );
    case REASONS.objectMissing:
      return notFound('Key', keyUuid ?? '');
    case REASONS.objectAmbiguous:
      return rejected(`${where}: ${error.message} Assign different CKA_IDs to them.`);
    default:
      return failureOf(error, { ...facts, where });
  }
}

function failureOf(
  error: ModuleError,
  { where, operation }: RejectionFacts & { readonly where: string },
): ConnectorError {
  const words = WORDS[error.code ?? -1];
  if (words !== undefined)
    return new ConnectorError(422, `${where} rejected the call: ${words} (${error.reason}).`, { cause: error });
  const message = `${where}: ${error.message}`;
  // Repeatable operations can be retried safely; for all others, the outcome is unknown.
  const isPassing = error.code === undefined || isSessionLost(error);
  return new ConnectorError(isPassing && REPEATABLE.has(operation) ? 503 : 500, message, { cause: error });
}

/** `CKR_ARGUMENTS_BAD` and `CKR_MECHANISM_PARAM_INVALID`: the mechanism is supported, but not with these digests. */
const PARAMETERS_REFUSED: ReadonlySet<number | undefined> = new Set([0x7, 0x71]);

export const isParameterRejection = (error: unknown): boolean =>
  error instanceof ConnectorError && error.cause instanceof ModuleError && PARAMETERS_REFUSED.has(error.cause.code);

const describeMissingBinding = (reason: string): string =>
  `The npm package pkcs11js, which is required for PKCS #11, is not installed. Installing it requires a C++ compiler, make and Python (apt-get install g++ make python3, then npm ci). ${reason}`.trim();

/** Returns whether the token checked the PIN and rejected it. */
export const isPinRejected = (error: unknown): error is ModuleError =>
  error instanceof ModuleError && error.code !== undefined && PIN_WORDS[error.code] !== undefined;

const PIN_WORDS: Readonly<Record<number, string>> = {
  [CKR.pinIncorrect]: 'Wrong PIN.',
  [CKR.pinInvalid]: 'The PIN contains characters that the token does not support.',
  [CKR.pinLengthRange]: 'The PIN is too long or too short for the token.',
  [CKR.pinExpired]: "The PIN has expired. Set a new one with the vendor's tools.",
  [CKR.pinLocked]: 'The PIN is locked. The security officer of the token must set a new one.',
  [CKR.userPinNotInitialized]: 'The token has no user PIN yet. Its security officer must set it first.',
};

export function pinRejection(error: ModuleError, flags: number | undefined): ConnectorError {
  const words = PIN_WORDS[error.code ?? -1] ?? error.message;
  const left = error.code === CKR.pinIncorrect ? describeTriesLeft(flags) : undefined;
  return rejected(left === undefined ? words : `${words} ${left}`);
}

/** Describes what the token's flags report about its counter of wrong PINs. */
export function describeTriesLeft(flags: number | undefined): string | undefined {
  if (flags === undefined) return undefined;
  if (flags & CKF.userPinLocked) return 'The PIN is locked. The security officer of the token must set a new one.';
  if (flags & CKF.userPinFinalTry) return 'One attempt is left before the token locks the PIN.';
  if (flags & CKF.userPinCountLow)
    return 'A wrong PIN was entered since the last correct one; the token counts wrong PINs.';
  return undefined;
}
