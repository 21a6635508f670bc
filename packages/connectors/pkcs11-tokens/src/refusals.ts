// What callers are told when a library or a token refuses.
import { ConnectorError, notFound, rejected, unavailable } from '@signetry/connector-sdk';
import type { Library } from './libraries.ts';
import { CKF, CKR } from './module/constants.ts';
import { sessionIsLost } from './module/failures.ts';
import { ModuleError } from './module/module-error.ts';
import { REASONS, REPEATABLE, type ModuleOperation } from './module/protocol.ts';

export interface RefusalFacts {
  readonly library: Pick<Library, 'name' | 'path'>;
  readonly operation: ModuleOperation;
  /** Absent where the library as a whole was asked. */
  readonly token?: { readonly name: string; readonly label: string; readonly serial: string } | undefined;
  readonly keyUuid?: string | undefined;
}

/** Return values that say something about the request, not about the state of the token. */
const WORDS: Readonly<Record<number, string>> = {
  0x13: 'it does not take one of the attributes of the key',
  0x20: 'the data do not fit the mechanism and the key',
  0x21: 'the data are too long or too short for the mechanism and the key',
  0x31: 'it has no room left',
  0x40: 'the encrypted data cannot be decrypted with this key and mechanism',
  0x41: 'the encrypted data have a length that does not fit the key',
  0x54: 'the library lacks this function',
  0x62: 'the size of the key does not fit the mechanism',
  0x63: 'the type of the key does not fit the mechanism',
  0x68: 'the key may not be used for this',
  0x70: 'it does not know the mechanism',
  0x71: 'it does not take these parameters of the mechanism',
  0x7: 'it does not take these parameters of the mechanism',
  0xb5: 'the session can only read',
  0xd1: 'it does not take this combination of attributes of a key',
  0xe2: 'it is write-protected',
  0x130: 'it does not know the curve',
  0x140: 'it does not know the curve',
};

/** The error for the caller; what is no error of a library stays as it is. */
export function refusalOf(error: unknown, facts: RefusalFacts): unknown {
  if (!(error instanceof ModuleError)) return error;
  const { library, token, keyUuid } = facts;
  const where = token ? `The token "${token.name}"` : `The library ${library.name}`;
  switch (error.reason) {
    case 'binding':
      return unavailable(bindingMissing(error.message));
    case 'library':
      return unavailable(`The library ${library.name} (${library.path}) could not be loaded: ${error.message}`);
    case REASONS.tokenMissing:
      return unavailable(
        `${where} (label "${token?.label}", serial number ${token?.serial}) is not present in the library ${library.name}.`,
      );
    case REASONS.objectMissing:
      return notFound('Key', keyUuid ?? '');
    case REASONS.objectAmbiguous:
      return rejected(`${where}: ${error.message} Give them different CKA_IDs.`);
    default:
      return failureOf(error, { ...facts, where });
  }
}

function failureOf(
  error: ModuleError,
  { where, operation }: RefusalFacts & { readonly where: string },
): ConnectorError {
  const words = WORDS[error.code ?? -1];
  if (words !== undefined)
    return new ConnectorError(422, `${where} refused: ${words} (${error.reason}).`, { cause: error });
  const message = `${where}: ${error.message}`;
  // What can be asked again had no effect that counts; of everything else nobody knows.
  const isPassing = error.code === undefined || sessionIsLost(error);
  return new ConnectorError(isPassing && REPEATABLE.has(operation) ? 503 : 500, message, { cause: error });
}

/** `CKR_ARGUMENTS_BAD` and `CKR_MECHANISM_PARAM_INVALID`: the mechanism is known, but not with such digests. */
const PARAMETERS_REFUSED: ReadonlySet<number | undefined> = new Set([0x7, 0x71]);

export const parametersAreRefused = (error: unknown): boolean =>
  error instanceof ConnectorError && error.cause instanceof ModuleError && PARAMETERS_REFUSED.has(error.cause.code);

const bindingMissing = (reason: string): string =>
  `The npm package pkcs11js, which PKCS#11 needs, is not installed: installing it takes a C++ compiler, make and Python (apt-get install g++ make python3, then npm ci). ${reason}`.trim();

/** Whether the token looked at the PIN and refused it. */
export const pinIsRefused = (error: unknown): error is ModuleError =>
  error instanceof ModuleError && error.code !== undefined && PIN_WORDS[error.code] !== undefined;

const PIN_WORDS: Readonly<Record<number, string>> = {
  [CKR.pinIncorrect]: 'The PIN is wrong.',
  [CKR.pinInvalid]: 'The PIN has characters that the token does not take.',
  [CKR.pinLengthRange]: 'The PIN is too long or too short for the token.',
  [CKR.pinExpired]: 'The PIN has expired; set a new one with the tools of the token.',
  [CKR.pinLocked]: 'The PIN is locked; the security officer of the token has to set a new one.',
  [CKR.userPinNotInitialized]: 'The token has no user PIN yet; its security officer sets the first one.',
};

export function pinRefusal(error: ModuleError, flags: number | undefined): ConnectorError {
  const words = PIN_WORDS[error.code ?? -1] ?? error.message;
  const left = error.code === CKR.pinIncorrect ? triesLeft(flags) : undefined;
  return rejected(left === undefined ? words : `${words} ${left}`);
}

/** What the token tells of its own counter of wrong PINs. */
export function triesLeft(flags: number | undefined): string | undefined {
  if (flags === undefined) return undefined;
  if (flags & CKF.userPinLocked) return 'The PIN is locked; the security officer of the token has to set a new one.';
  if (flags & CKF.userPinFinalTry) return 'One try is left before the token locks it.';
  if (flags & CKF.userPinCountLow) return 'A wrong PIN was entered since the last right one; the token counts them.';
  return undefined;
}
