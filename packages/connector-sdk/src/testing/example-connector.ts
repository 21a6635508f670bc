// A whole connector: credentials of the kind `ApiToken`.
import {
  dataAttribute,
  handlersOf,
  matching,
  rejected,
  requireKind,
  validateAttributes,
  type Connector,
} from '@signetry/connector-sdk';
import { connectorBaseOperations } from '@signetry/contract';

const attributes = [
  dataAttribute({
    uuid: '0193f0a2-7c10-7000-8000-000000000001',
    name: 'data_user',
    label: 'User',
    contentType: 'string',
    constraints: [matching('[a-z][a-z0-9-]{0,31}', 'Lower-case letters, digits and hyphens.')],
  }),
  dataAttribute({
    uuid: '0193f0a2-7c10-7000-8000-000000000002',
    name: 'data_token',
    label: 'Token',
    contentType: 'secret',
    required: true,
  }),
];

export const exampleConnector: Connector = {
  name: 'api-token',
  functionGroups: [{ code: 'credentialProvider', kinds: ['ApiToken'] }],
  migrations: [],
  create: () => ({
    handlers: handlersOf(connectorBaseOperations, {
      listAttributeDefinitions: ({ params }) => {
        requireKind({ connector: exampleConnector }, params);
        return attributes;
      },
      validateAttributes: ({ params, body }) => {
        requireKind({ connector: exampleConnector }, params);
        const problems = validateAttributes(attributes, body);
        if (problems.length > 0) throw rejected(...problems);
      },
    }),
  }),
};
