// A complete connector: credentials of the kind `ApiToken`.
import { dataAttribute, defineConnector, matching } from '@signetry/connector-sdk';

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

export const exampleConnector = defineConnector({
  name: 'api-token',
  functions: { credentialProvider: { kinds: ['ApiToken'] } },
  create: () => ({
    functions: {
      credentialProvider: { listAttributeDefinitions: () => attributes },
    },
  }),
});
