// The launcher's log interface: a plain function, so that the launcher does not depend on a logger. Fields never
// contain secrets.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;
