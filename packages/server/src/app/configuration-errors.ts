/** A mistake in the configuration, reported in one line with its place; exit code 2. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}
