// Errors inside the process of a library, and which of them require new sessions.
import { CKR } from './constants.ts';
import type { Failure } from './protocol.ts';

/** A failure with one of our own reasons instead of a PKCS #11 return value. */
export class ModuleFailure extends Error {
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ModuleFailure';
    this.reason = reason;
  }
}

/** Returns the PKCS #11 return value of an error from the binding. */
export const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;

/** Return values that mean that the session, the token or its login is no longer usable. */
const LOST: ReadonlySet<number> = new Set([
  0x30, // CKR_DEVICE_ERROR
  0x32, // CKR_DEVICE_REMOVED
  0xb0, // CKR_SESSION_CLOSED
  0xb3, // CKR_SESSION_HANDLE_INVALID
  0xe0, // CKR_TOKEN_NOT_PRESENT
  0xe1, // CKR_TOKEN_NOT_RECOGNIZED
  CKR.userNotLoggedIn,
  CKR.cryptokiNotInitialized,
]);

export const isSessionLost = (error: unknown): boolean => LOST.has(codeOf(error) ?? -1);

export const isStaleHandle = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === CKR.keyHandleInvalid || code === CKR.objectHandleInvalid;
};

export function failureOf(error: unknown): Failure {
  if (error instanceof ModuleFailure) return { reason: error.reason, message: error.message };
  const message = error instanceof Error ? error.message : 'The library failed.';
  const code = codeOf(error);
  if (code === undefined) return { reason: 'failed', message };
  const name = /CKR_\w+/.exec(message)?.[0] ?? `0x${code.toString(16)}`;
  return { reason: name, code, message: `The library returned ${name}.` };
}
