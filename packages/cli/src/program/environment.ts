// Environment variables, passed in rather than read from the process.

export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that only the command line reads. The server defines the variables for settings. */
export const VARIABLES = {
  url: 'SIGNETRY_URL',
  token: 'SIGNETRY_TOKEN',
  data: 'SIGNETRY_DATA',
  /** Name of a context saved by `signetry login`. */
  context: 'SIGNETRY_CONTEXT',
  /** If not empty, errors are printed with a stack trace. */
  trace: 'SIGNETRY_TRACE',
} as const;

/** Returns a variable, or undefined if it is unset or empty. */
export function variable(environment: Environment, name: keyof typeof VARIABLES): string | undefined {
  const value = environment[VARIABLES[name]];
  return value === '' ? undefined : value;
}
