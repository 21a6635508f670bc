// The launcher's view of logging: a function, so that it depends on no logger. Fields never hold secrets.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;
