// Everything needed to write a connector, run it in a process or on a port, and test it.
export * from './connector.ts';
export * from './connector-error.ts';
export * from './define-connector.ts';
export type { FunctionHandlers } from './function-handlers.ts';
export * from './invoke.ts';
export * from './start-connector.ts';
export * from './supported-functions.ts';
export * from './attributes/check-definition.ts';
export * from './attributes/define-attributes.ts';
export * from './attributes/define-callbacks.ts';
export * from './attributes/read-attributes.ts';
export * from './attributes/validate-attributes.ts';
export * from './cryptography/cipher-mechanism.ts';
export * from './cryptography/key-data.ts';
export * from './cryptography/oaep.ts';
export * from './cryptography/paired-items.ts';
export {
  DIGEST_OCTETS,
  readSignatureMechanism,
  type MechanismKey,
  type SignatureMechanism,
} from './cryptography/signature-mechanism.ts';
export * from './development-context.ts';
export * from './health.ts';
export * from './instances.ts';
export * from './http/http-transport.ts';
export * from './http/platform-tokens.ts';
export * from './http/json-text.ts';
export * from './http/route-table.ts';
export * from './http/serve-connector.ts';
export * from './journal/idempotency-journal.ts';
export * from './pattern/linear-pattern.ts';
export * from './pattern/matching-text.ts';
export * from './pattern/pattern-error.ts';
export * from './sealing/sealing.ts';
export * from './storage/batcher.ts';
export * from './storage/migrate.ts';
export * from './storage/postgres-storage.ts';
export * from './storage/storage.ts';
export * from './token-keys.ts';
