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
      'failed: refused by the platform, a file in the way, an audit log that is not intact, a connector that does not conform, a certificate that breaks rules or does not comply',
  },
  { code: EXIT.usage, about: 'wrong usage or configuration' },
  { code: EXIT.unreachable, about: 'the platform does not run or cannot be reached' },
  { code: EXIT.denied, about: 'not signed in or not permitted' },
  { code: EXIT.interrupted, about: 'interrupted before it was done' },
];
