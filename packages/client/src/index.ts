// A typed client for the platform and for connectors, derived from the operation tables.
export { createClient, DEFAULT_TIMEOUT_MS } from './client.ts';
export type { Area, Caller, CallOptions, Client, ClientOptions } from './client.ts';
export { ApiError, ConnectionError } from './errors.ts';
export type { CallInput } from './request.ts';
export * from './certificate-files.ts';
export { followEvents, type FollowOptions } from './follow-events.ts';
