// Credentials of two types; the choice of type determines the remaining fields of the form.
import {
  dataAttribute,
  defineConnector,
  groupAttribute,
  handlersOf,
  healthOf,
  matching,
  notFound,
  readValue,
  rejectIf,
  validateAttributes,
} from '@signetry/connector-sdk';
import { BaseAttributeDto, operation, type DataAttribute } from '@signetry/contract';
import { z } from 'zod';

const sort = dataAttribute({
  uuid: '0193f0a2-8181-7000-8000-000000000001',
  name: 'data_sort',
  label: 'How to sign in',
  contentType: 'string',
  required: true,
  choices: [
    { reference: 'User and password', data: 'password' },
    { reference: 'Token', data: 'token' },
  ],
});

const secret = { label: 'Secret', contentType: 'secret', required: true } as const;
const user = { label: 'User', contentType: 'string', required: true, constraints: [matching('[a-z]{2,32}')] } as const;

const fields: Readonly<Record<string, DataAttribute[]>> = {
  password: [
    dataAttribute({ uuid: '0193f0a2-8181-7000-8000-000000000002', name: 'data_user', ...user }),
    dataAttribute({ uuid: '0193f0a2-8181-7000-8000-000000000003', name: 'data_password', ...secret }),
  ],
  token: [dataAttribute({ uuid: '0193f0a2-8181-7000-8000-000000000004', name: 'data_token', ...secret })],
};

// The platform inserts the choice into the path and shows the returned fields.
const rest = groupAttribute({
  uuid: '0193f0a2-8181-7000-8000-000000000005',
  name: 'group_fields',
  callback: {
    callbackContext: '/v1/credentialProvider/callbacks/{sort}/fields',
    callbackMethod: 'GET',
    mappings: [{ from: 'data_sort.data', to: 'sort', targets: ['pathVariable'] }],
  },
});

const callbacks = {
  listFields: operation({
    id: 'listFields',
    summary: 'List the fields of a sort',
    tag: 'Callbacks',
    method: 'GET',
    path: '/v1/credentialProvider/callbacks/{sort}/fields',
    params: z.object({ sort: z.string() }),
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [404, 500],
  }),
};

export const loginConnector = defineConnector({
  name: 'login',
  functions: { credentialProvider: { kinds: ['Login'] } },
  create: () => ({
    functions: {
      credentialProvider: {
        listAttributeDefinitions: () => [sort, rest],
        // Only the connector knows the fields of a group.
        validateAttributes: ({ body }) =>
          rejectIf(validateAttributes([sort, rest, ...(fields[readValue(body, sort) ?? ''] ?? [])], body)),
      },
    },
    handlers: handlersOf(callbacks, {
      listFields: ({ params }) => {
        const found = fields[params.sort];
        if (!found) throw notFound('Sort', params.sort);
        return found;
      },
    }),
    health: () => healthOf({ memory: () => undefined }),
  }),
});
