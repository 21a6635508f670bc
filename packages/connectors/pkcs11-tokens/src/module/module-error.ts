// The reason why a library call failed, for the rest of the connector.
import type { Failure } from './protocol.ts';

export class ModuleError extends Error {
  /**
   * `CKR_…` or one of `REASONS` if the library was called. Otherwise `binding` or `library` if it could not be loaded,
   * or `ended`, `timeout`, `busy` or `stopped`.
   */
  readonly reason: string;
  readonly code: number | undefined;

  constructor(reason: string, message: string, code?: number) {
    super(message);
    this.name = 'ModuleError';
    this.reason = reason;
    this.code = code;
  }

  static of({ reason, message, code }: Failure): ModuleError {
    return new ModuleError(reason, message, code);
  }
}
