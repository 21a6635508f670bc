// Environment variables, handed in rather than read from the process.

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that only the command line reads; those of the settings are the server's. */
export const VARIABLES = {
  url: 'SIGNETRY_URL',
  token: 'SIGNETRY_TOKEN',
  data: 'SIGNETRY_DATA',
  /** Name of a context that `signetry login` keeps. */
  context: 'SIGNETRY_CONTEXT',
  /** With any value, failures are shown with a stack. */
  trace: 'SIGNETRY_TRACE',
} as const;

/** A variable that is set to something. */
export function variable(environment: Environment, name: keyof typeof VARIABLES): string | undefined {
  const value = environment[VARIABLES[name]];
  return value === '' ? undefined : value;
}
