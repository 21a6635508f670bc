// Why a file or directory gives no certificates, in words of our own: nothing that it holds is in them.

export type FailureKind =
  'outside' | 'special' | 'tooDeep' | 'tooLarge' | 'denied' | 'gone' | 'closed' | 'tooMuchWork' | 'unknown' | 'broken';

export const FAILURE_TEXTS: Readonly<Record<FailureKind, string>> = {
  outside: 'it is a symbolic link that leads out of the directory',
  special: 'it is no ordinary file',
  tooDeep: 'it is deeper than directories are searched',
  tooLarge: 'it is larger than files are read',
  denied: 'the process may not read it',
  gone: 'it is not there any more, or a symbolic link leads nowhere',
  closed: 'none of the passwords opens it',
  tooMuchWork: 'it asks for more work than a file may',
  unknown: 'it is protected in a way that is not known here',
  broken: 'what it holds is not well-formed',
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
  // A link where there was none when the directory was read, or a circle of links.
  ELOOP: 'gone',
  ENXIO: 'special',
  EISDIR: 'special',
};

/** Errors of the file system; undefined for others, such as a disk that fails. */
export function failureOf(error: unknown): FileFailure | undefined {
  if (error instanceof FileFailure) return error;
  const kind = CODES[(error as { code?: string } | undefined)?.code ?? ''];
  return kind && new FileFailure(kind, { cause: error });
}
