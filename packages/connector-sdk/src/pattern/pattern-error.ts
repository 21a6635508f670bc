// Reason why a pattern cannot be used. The message is shown to the author of the pattern.

export class PatternError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternError';
  }
}
