// A small credential provider with an in-memory context, for tests in this package.
import { randomBytes } from 'node:crypto';
import { connectorBaseOperations, type DataAttribute } from '@signetry/contract';
import { dataAttribute, matching } from '../attributes/define-attributes.ts';
import { validateAttributes } from '../attributes/validate-attributes.ts';
import { notFound, rejectIf, unavailable } from '../connector-error.ts';
import { handlersOf, type Connector, type ConnectorContext } from '../connector.ts';
import type { ConnectorStorage } from '../storage/storage.ts';

const sampleAttributes: readonly DataAttribute[] = [
  dataAttribute({
    uuid: '0193f0a2-0000-7000-8000-000000000001',
    name: 'data_user',
    label: 'User name',
    contentType: 'string',
    required: true,
    constraints: [matching('[a-z]+', 'Lower-case letters only.')],
  }),
];

export const sampleConnector: Connector = {
  name: 'sample',
  functionGroups: [{ code: 'credentialProvider', kinds: ['Sample'], features: ['idempotency'] }],
  migrations: [],
  create: () => ({
    handlers: handlersOf(connectorBaseOperations, {
      listAttributeDefinitions: ({ params }) => {
        if (params.kind !== 'Sample') throw notFound('Kind', params.kind);
        return [...sampleAttributes];
      },
      validateAttributes: ({ body }) => {
        if (body.some(({ name }) => name === 'data_crash')) throw new Error('a detail that stays inside');
        if (body.some(({ name }) => name === 'data_busy')) throw unavailable('Busy.', { retryAfterSeconds: 90 });
        rejectIf(validateAttributes(sampleAttributes, body));
      },
    }),
  }),
};

/** Returns a context without a database: statements succeed and return no rows. */
export function contextWithoutDatabase(): ConnectorContext & { readonly errors: object[] } {
  const errors: object[] = [];
  const storage: ConnectorStorage = {
    schema: 'connector_sample',
    table: (name) => `connector_sample.${name}`,
    query: () => Promise.resolve([]),
    transaction: (work) => work(storage),
  };
  return {
    storage,
    seal: (plain) => plain,
    open: (sealed) => sealed,
    clock: { now: () => new Date() },
    randomBytes,
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (facts) => void errors.push(facts),
    },
    errors,
  };
}
