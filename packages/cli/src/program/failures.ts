// How a command reports a failure: a one-line error, suggested fixes, and an exit code. Known failures are printed
// without a stack trace.
import { ApiError, ConnectionError } from '@signetry/client';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { printable } from './output/printable.ts';

/** A failure detected by the command itself. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly exitCode: ExitCode;
  /** Suggested fixes, one sentence each. */
  readonly help: readonly string[];

  constructor(message: string, options: { exitCode?: ExitCode; help?: readonly string[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? EXIT.failed;
    this.help = options.help ?? [];
  }
}

/** Returns the failure for an incorrect command line; the command has done nothing. */
export const usageError = (message: string, ...help: string[]): CliFailure =>
  new CliFailure(message, { exitCode: EXIT.usage, help });

/** The abort signal's reason when the user or the system requests a stop. */
export class Interruption extends Error {
  override readonly name = 'Interruption';

  constructor() {
    super('Interrupted.');
  }
}

export interface FailureText {
  readonly exitCode: ExitCode;
  readonly message: string;
  readonly help: readonly string[];
}

/** Returns the exit code, message and suggested fixes for any error. */
export function describeFailure(error: unknown): FailureText {
  if (error instanceof CliFailure) return { exitCode: error.exitCode, message: error.message, help: error.help };
  if (error instanceof Interruption) return { exitCode: EXIT.interrupted, message: error.message, help: [] };
  if (error instanceof ApiError) return describeRejection(error);
  if (error instanceof ConnectionError) return describeConnectionError(error);
  // The server's own error. Its class is not imported because loading the server takes longer than most commands.
  const exitCode = error instanceof Error && error.name === 'ConfigurationError' ? EXIT.usage : EXIT.failed;
  return { exitCode, message: messageOf(error), help: [] };
}

function describeRejection(error: ApiError): FailureText {
  const [first = error.message, ...more] = error.problems;
  const help = [...more, ...(refusalHelp[error.status] ?? [])];
  return { exitCode: isDenial(error) ? EXIT.denied : EXIT.failed, message: first, help };
}

const isDenial = ({ status }: ApiError): boolean => status === 401 || status === 403;

const refusalHelp: Readonly<Record<number, readonly string[]>> = {
  401: [
    "Check the token (--token-file or SIGNETRY_TOKEN). On the platform's machine, `signetry token create NAME` creates a new one.",
  ],
  421: ["Use one of the platform's host names, or start it with --public-url."],
};

/**
 * TLS error codes for an untrusted server certificate. Signature verification fails if a different root with the same
 * name is trusted.
 */
const UNTRUSTED =
  /^(?:CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/;

function describeConnectionError(error: ConnectionError): FailureText {
  const code = codeOf(error) ?? '';
  const help = UNTRUSTED.test(code)
    ? "Specify the platform's root certificate with --ca FILE; it is in the data directory as root-ca.pem."
    : code === 'ERR_TLS_CERT_ALTNAME_INVALID'
      ? "Use a name in the platform's certificate; --public-url adds one."
      : '`signetry status` shows whether the platform is running here; --url selects a different one.';
  // Client messages begin with the operation ID, which does not help users.
  const what = error.message.replace(/^\w+: /, '');
  return { exitCode: EXIT.unreachable, message: `No response from the platform: ${what}`, help: [help] };
}

/** Returns the system or TLS error code from anywhere in the chain of causes. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

/** Returns the message of an error. The error for multiple failed connection attempts has no message of its own. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return codeOf(error) ?? error.name;
}

/** Returns whether an error is a bug in the program itself, for which the stack trace matters. */
const isFault = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;

/** Returns the lines for standard error. */
export function failureLines(error: unknown, options: { readonly trace: boolean }): string[] {
  const { message, help } = describeFailure(error);
  const lines = message.split('\n').map(printable);
  const stack =
    error instanceof Error && (options.trace || isFault(error)) ? (error.stack ?? '').split('\n').slice(1) : [];
  return [`signetry: ${lines.join('\n  ')}`, ...help.map((line) => `  ${printable(line)}`), ...stack.map(printable)];
}
