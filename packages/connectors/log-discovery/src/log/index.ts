// The log reader without the connector, for programs that read logs themselves.
export { logKeyOf, readCheckpoint, type Checkpoint, type LogKey } from './checkpoint.ts';
export { MAX_DOMAINS, parseDomains } from './domains.ts';
export { LogClient, type LogClientOptions } from './log-client.ts';
export { LogError, type LogErrorKind } from './log-error.ts';
export { readRange, type LoggedCertificate, type LogReading, type ReadTile } from './read-log.ts';
export { TrustedTree, type TreeHead } from './trusted-tree.ts';
