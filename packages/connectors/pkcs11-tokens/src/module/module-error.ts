// Why a call to a library failed, as the rest of the connector sees it.
import type { Failure } from './protocol.ts';

export class ModuleError extends Error {
  /**
   * `CKR_…` or one of `REASONS` where the library was asked; else `binding` or `library`, which could not be loaded,
   * `ended`, `timeout`, `busy`, `stopped`.
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
