// How a command fails: one line that says what went wrong, then what would help, and an exit code. Known failures are
// shown without a stack.
import { ApiError, ConnectionError } from '@signetry/client';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { printable } from './output/printable.ts';

/** A failure that the command itself found. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly exitCode: ExitCode;
  /** What would help, one sentence each. */
  readonly help: readonly string[];

  constructor(message: string, options: { exitCode?: ExitCode; help?: readonly string[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? EXIT.failed;
    this.help = options.help ?? [];
  }
}

/** The command line is wrong: nothing was done. */
export const wrongUsage = (message: string, ...help: string[]): CliFailure =>
  new CliFailure(message, { exitCode: EXIT.usage, help });

/** The reason of the abort signal when the person at the terminal, or the system, asks to stop. */
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

/** Any error in words. */
export function describeFailure(error: unknown): FailureText {
  if (error instanceof CliFailure) return { exitCode: error.exitCode, message: error.message, help: error.help };
  if (error instanceof Interruption) return { exitCode: EXIT.interrupted, message: error.message, help: [] };
  if (error instanceof ApiError) return describeRefusal(error);
  if (error instanceof ConnectionError) return describeSilence(error);
  // The server's own error; its class is not imported, because loading the server takes longer than most commands.
  const exitCode = error instanceof Error && error.name === 'ConfigurationError' ? EXIT.usage : EXIT.failed;
  return { exitCode, message: messageOf(error), help: [] };
}

function describeRefusal(error: ApiError): FailureText {
  const [first = error.message, ...more] = error.problems;
  const help = [...more, ...(refusalHelp[error.status] ?? [])];
  return { exitCode: isDenial(error) ? EXIT.denied : EXIT.failed, message: first, help };
}

const isDenial = ({ status }: ApiError): boolean => status === 401 || status === 403;

const refusalHelp: Readonly<Record<number, readonly string[]>> = {
  401: [
    'Check the token (--token-file or SIGNETRY_TOKEN); on the machine of the platform, `signetry token create NAME` creates a new one.',
  ],
  421: ['Use one of the names that the platform serves, or start it with --public-url.'],
};

/**
 * TLS error codes for a server certificate that is not trusted; with another root of the same name, the signature check
 * fails.
 */
const UNTRUSTED =
  /^(?:CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(?:_LOCALLY)?))$/;

function describeSilence(error: ConnectionError): FailureText {
  const code = codeOf(error) ?? '';
  const help = UNTRUSTED.test(code)
    ? 'Name the root certificate of the platform with --ca FILE; it is in the data directory as root-ca.pem.'
    : code === 'ERR_TLS_CERT_ALTNAME_INVALID'
      ? 'Use a name in the certificate of the platform; --public-url adds one.'
      : '`signetry status` tells whether the platform runs here; --url names one elsewhere.';
  // Messages of the client begin with the name of the operation, which is of no use to people.
  const what = error.message.replace(/^\w+: /, '');
  return { exitCode: EXIT.unreachable, message: `No answer from the platform: ${what}`, help: [help] };
}

/** The system's or TLS's code, anywhere in the chain of causes. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

/** Message of an error; those of several failed connection attempts have none of their own. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return codeOf(error) ?? error.name;
}

/** Faults of the program itself, for which the location matters. */
const isFault = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;

/** The lines for standard error. */
export function failureLines(error: unknown, options: { readonly trace: boolean }): string[] {
  const { message, help } = describeFailure(error);
  const lines = message.split('\n').map(printable);
  const stack =
    error instanceof Error && (options.trace || isFault(error)) ? (error.stack ?? '').split('\n').slice(1) : [];
  return [`signetry: ${lines.join('\n  ')}`, ...help.map((line) => `  ${printable(line)}`), ...stack.map(printable)];
}
