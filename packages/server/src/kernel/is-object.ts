// Whether a value from outside has members that can be asked for. So do arrays.

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
