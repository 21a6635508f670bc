// Reasons why a file or directory yields no certificates, in our own wording; file content is never quoted.

export type FailureKind =
  'outside' | 'special' | 'tooDeep' | 'tooLarge' | 'denied' | 'gone' | 'closed' | 'tooMuchWork' | 'unknown' | 'broken';

export const FAILURE_TEXTS: Readonly<Record<FailureKind, string>> = {
  outside: 'symbolic link leads outside the directory',
  special: 'not a regular file',
  tooDeep: 'exceeds the maximum directory depth',
  tooLarge: 'exceeds the maximum file size',
  denied: 'permission denied',
  gone: 'file no longer exists, or broken symbolic link',
  closed: 'no specified password opens it',
  tooMuchWork: 'exceeds the processing limit per file',
  unknown: 'unsupported type of protection',
  broken: 'content is malformed',
};

export class FileFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, options?: ErrorOptions) {
    super(FAILURE_TEXTS[kind], options);
    this.name = 'FileFailure';
    this.kind = kind;
  }
}

const CODES: Readonly<Record<string, FailureKind>> = {
  EACCES: 'denied',
  EPERM: 'denied',
  ENOENT: 'gone',
  ENOTDIR: 'gone',
  // A link that did not exist when the directory was read, or a link loop.
  ELOOP: 'gone',
  ENXIO: 'special',
  EISDIR: 'special',
};

/** Returns the failure for a file system error, or undefined for other errors, such as a failing disk. */
export function failureOf(error: unknown): FileFailure | undefined {
  if (error instanceof FileFailure) return error;
  const kind = CODES[(error as { code?: string } | undefined)?.code ?? ''];
  return kind && new FileFailure(kind, { cause: error });
}
