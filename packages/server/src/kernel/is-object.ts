// Returns whether an external value has members that can be read. Arrays also have readable members.

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
