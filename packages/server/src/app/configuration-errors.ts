// Mistakes in the configuration, each said in one line.

/** The command line is wrong; exit code 2. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

/** A setting of the environment or of the file is wrong; exit code 1, since the command line is not what has to be changed. */
export class SettingsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}
