// Whether a value from outside has members that can be asked for. Arrays have them too.

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
