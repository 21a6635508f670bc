// Exit codes, for scripts. Tests compare help and README with this table.
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  denied: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const exitCodes: readonly { readonly code: ExitCode; readonly about: string }[] = [
  { code: EXIT.ok, about: 'done' },
  {
    code: EXIT.failed,
    about:
      'failed: rejected by the platform, output file already exists, audit log integrity check failed, non-conforming connector, non-compliant certificate',
  },
  { code: EXIT.usage, about: 'wrong usage or configuration' },
  { code: EXIT.unreachable, about: 'the platform is not running or cannot be reached' },
  { code: EXIT.denied, about: 'not authenticated or not authorized' },
  { code: EXIT.interrupted, about: 'interrupted before completion' },
];
