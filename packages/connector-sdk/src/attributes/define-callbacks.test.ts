import { operation, type Operation } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contextWithoutDatabase, sampleConnector } from '../testing/sample-connector.ts';
import { handlersOf, type Connector } from '../connector.ts';
import { findOperation } from '../http/route-table.ts';
import { startConnector } from '../start-connector.ts';
import { listSupportedFunctions } from '../supported-functions.ts';
import { dataAttribute, groupAttribute } from './define-attributes.ts';
import { always, callbackTo, credentialOf, credentialsOfKind, valueOf } from './define-callbacks.ts';

const uuid = '0193f0a2-0000-7000-8000-0000000000ff';
const option = dataAttribute({ uuid, name: 'data_option', label: 'Option', contentType: 'string' });
const listFields = operation({
  id: 'listFields',
  summary: 'List fields',
  tag: 'Sample',
  method: 'POST',
  path: '/v1/credentialProvider/Sample/callbacks/{option}/{fixed}/attributes',
  params: z.object({ option: z.string(), fixed: z.string() }),
  body: z.object({ login: z.unknown() }),
  success: { status: 200, body: z.array(z.string()) },
  errors: [],
}) satisfies Operation;

const connector: Connector = {
  ...sampleConnector,
  create: (context) => ({
    handlers: {
      ...sampleConnector.create(context).handlers,
      ...handlersOf({ listFields }, { listFields: ({ params }) => [params.option, params.fixed] }),
    },
  }),
};

describe('callbacks', () => {
  it('specify the operation to call and the sources of its input', () => {
    const callback = callbackTo(listFields, {
      path: { option: valueOf(option), fixed: always('x') },
      query: { page: valueOf(option, 'data.page') },
      body: { login: credentialOf({ name: 'login' }) },
    });
    expect(groupAttribute({ uuid, name: 'group_fields', callback, content: [option] })).toEqual({
      version: 2,
      uuid,
      name: 'group_fields',
      type: 'group',
      content: [option],
      attributeCallback: {
        callbackContext: listFields.path,
        callbackMethod: 'POST',
        mappings: [
          { from: 'data_option.data', attributeType: 'data', attributeContentType: 'string', to: 'option', targets: ['pathVariable'] },
          { value: 'x', to: 'fixed', targets: ['pathVariable'] },
          { from: 'data_option.data.page', attributeType: 'data', attributeContentType: 'string', to: 'page', targets: ['requestParameter'] },
          { from: 'login', attributeType: 'data', attributeContentType: 'credential', to: 'login', targets: ['body'] },
        ],
      },
    }); // prettier-ignore
  });

  it('are rejected immediately if a path parameter has no value', () => {
    expect(() => callbackTo(listFields, { path: { option: valueOf(option) } })).toThrow(
      'listFields lacks a value for fixed',
    );
  });

  it('refer to endpoints that the connector declares, and are routed by path', async () => {
    const running = await startConnector(connector, contextWithoutDatabase());
    const [group] = listSupportedFunctions(running);
    expect(group?.endPoints).toContainEqual(
      expect.objectContaining({ name: 'listFields', method: 'POST', context: listFields.path, required: false }),
    );
    const path = '/v1/credentialProvider/Sample/callbacks/a%2Fb/c/attributes';
    expect(findOperation(running, { method: 'POST', path })).toEqual({
      operation: listFields,
      params: { option: 'a/b', fixed: 'c' },
    });
    expect(findOperation(running, { method: 'GET', path })).toBeUndefined();
  });

  it('are served by the platform if they return credentials', () => {
    expect(credentialsOfKind('SoftKeyStore')).toEqual({
      callbackContext: 'core/getCredentials',
      callbackMethod: 'GET',
      mappings: [{ to: 'credentialKind', targets: ['pathVariable'], value: 'SoftKeyStore' }],
    });
  });
});
