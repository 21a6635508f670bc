// Connectors defined by function group, called over both transports.
import {
  complianceProviderOperations as compliance,
  connectorBaseOperations as base,
  cryptographyProviderOperations as cryptography,
  discoveryProviderOperations as discovery,
  legacyAuthorityProviderOperations as legacy,
  operation,
  type FunctionGroupCode,
} from '@signetry/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataAttribute, groupAttribute } from './attributes/define-attributes.ts';
import { handlersOf, type Connector } from './connector.ts';
import { defineConnector } from './define-connector.ts';
import type { FunctionHandlers } from './function-handlers.ts';
import { inProcess, overHttp, type CallConnector } from './http/http-transport.ts';
import { serveConnector } from './http/serve-connector.ts';
import { startConnector } from './start-connector.ts';
import { contextWithoutDatabase } from './testing/sample-connector.ts';

const host = dataAttribute({
  uuid: '0193f0a2-0000-7000-8000-000000000001',
  name: 'data_host',
  label: 'Host',
  contentType: 'string',
  required: true,
});
const value = (name: string, data: string) => ({
  uuid: 'u',
  name,
  contentType: 'string' as const,
  content: [{ data }],
});
const found = { uuid: 'd', name: 'all', status: 'completed', certificateData: [], meta: [] } as const;

const discoveryHandlers: FunctionHandlers<'discoveryProvider'> = {
  listAttributeDefinitions: () => [host],
  discoverCertificate: () => ({ ...found, certificateData: [], meta: [] }),
  getDiscovery: () => ({ ...found, certificateData: [], meta: [] }),
};
const complianceHandlers: FunctionHandlers<'complianceProvider'> = {
  listRules: () => [],
  listGroups: () => [],
  listGroupDetails: () => [],
  checkCompliance: () => ({ status: 'ok' }),
};

/** Connector with two function groups, each with a different kind. */
const scanner = defineConnector({
  name: 'scanner',
  functions: {
    discoveryProvider: { kinds: ['Net'], features: ['idempotency'] },
    complianceProvider: { kinds: ['Rules'] },
  },
  create: () => ({ functions: { discoveryProvider: discoveryHandlers, complianceProvider: complianceHandlers } }),
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Returns both ways to call a connector. */
async function transportsFor(connector: Connector): Promise<CallConnector[]> {
  const served = await serveConnector(connector, { context: contextWithoutDatabase() });
  closing.push(() => served.close());
  return [inProcess(served.running), overHttp(served.url)];
}

const kindParams = (functionalGroup: FunctionGroupCode, kind: string) => ({ params: { functionalGroup, kind } });
const problems = (...expected: string[]) => expect.objectContaining({ status: 422, problems: expected });

describe('a connector defined by function groups', () => {
  it('returns the attributes of each group from its handler, or none if there is no handler', async () => {
    for (const call of await transportsFor(scanner)) {
      const list = (code: FunctionGroupCode, kind: string) =>
        call(base.listAttributeDefinitions, kindParams(code, kind));
      expect(await list('discoveryProvider', 'Net')).toMatchObject([{ name: 'data_host' }]);
      expect(await list('complianceProvider', 'Rules')).toEqual([]);
    }
  });

  it('rejects kinds and groups that it does not offer', async () => {
    for (const call of await transportsFor(scanner)) {
      const gone = expect.objectContaining({ status: 404 });
      await expect(call(base.listAttributeDefinitions, kindParams('discoveryProvider', 'Rules'))).rejects.toEqual(gone);
      await expect(call(base.listAttributeDefinitions, kindParams('entityProvider', 'Net'))).rejects.toEqual(gone);
      await expect(call(compliance.listRules, { params: { kind: 'Net' } })).rejects.toEqual(gone);
      expect(await call(compliance.listRules, { params: { kind: 'Rules' } })).toEqual([]);
      const discover = (kind: string) => call(discovery.discoverCertificate, { body: { name: 'all', kind } });
      await expect(discover('Rules')).rejects.toEqual(gone);
      expect(await discover('Net')).toMatchObject({ uuid: 'd' });
    }
  });

  it('validates values by their definitions if there is no handler', async () => {
    for (const call of await transportsFor(scanner)) {
      const check = (body: ReturnType<typeof value>[], code: FunctionGroupCode = 'discoveryProvider', kind = 'Net') =>
        call(base.validateAttributes, { ...kindParams(code, kind), body });
      await expect(check([])).rejects.toEqual(problems('"Host" (data_host) is required.'));
      expect(await check([value('data_host', 'a')])).toBeUndefined();
      await expect(check([value('data_host', 'a'), value('data_more', 'b')])).rejects.toEqual(
        problems('Unknown attribute "data_more".'),
      );
    }
  });

  it('accepts values whose definitions a callback may add', async () => {
    const group = groupAttribute({
      uuid: '0193f0a2-0000-7000-8000-000000000002',
      name: 'group_more',
      callback: { callbackContext: '/v1/discoveryProvider/callbacks/more', callbackMethod: 'GET', mappings: [] },
    });
    const own = operation({
      id: 'listMore', summary: 'List more', tag: 'Callbacks', method: 'GET', path: '/v1/discoveryProvider/callbacks/more',
      success: { status: 200, body: z.array(z.string()) }, errors: [400, 500],
    }); // prettier-ignore
    const connector = defineConnector({
      name: 'groups',
      functions: { discoveryProvider: { kinds: ['Net'] } },
      create: () => ({
        functions: { discoveryProvider: { ...discoveryHandlers, listAttributeDefinitions: () => [host, group] } },
        handlers: handlersOf({ own }, { own: () => ['more'] }),
      }),
    });
    for (const call of await transportsFor(connector)) {
      const body = [value('data_host', 'a'), value('data_more', 'b')];
      await call(base.validateAttributes, { ...kindParams('discoveryProvider', 'Net'), body });
      expect(await call(own, {})).toEqual(['more']);
      const [declared] = await call(base.listSupportedFunctions, {});
      expect(declared?.endPoints.map(({ context }) => context)).toContain('/v1/discoveryProvider/callbacks/more');
    }
  });

  it('returns 404 for operations and groups that it does not implement', async () => {
    for (const call of await transportsFor(scanner)) {
      const missing = expect.objectContaining({ status: 404, message: expect.stringContaining('does not offer') });
      await expect(call(discovery.deleteDiscovery, { params: { uuid: 'd' } })).rejects.toEqual(missing);
      await expect(call(cryptography.listTokenInstances, {})).rejects.toEqual(missing);
    }
  });

  it('logs its contract violations, and hides them from the caller', async () => {
    const context = contextWithoutDatabase();
    const wrong = defineConnector({
      name: 'wrong',
      functions: { discoveryProvider: { kinds: ['Net'] } },
      create: () => ({
        functions: { discoveryProvider: { ...discoveryHandlers, getDiscovery: () => ({ uuid: 'd' }) as never } },
      }),
    });
    const served = await serveConnector(wrong, { context });
    closing.push(() => served.close());
    const body = { name: 'all', kind: 'Net', pageNumber: 1, itemsPerPage: 100 };
    const asked = overHttp(served.url)(discovery.getDiscovery, { params: { uuid: 'd' }, body });
    await expect(asked).rejects.toMatchObject({ status: 500, message: 'The connector failed unexpectedly.' });
    expect(String((context.errors[0] as { error: unknown }).error)).toContain(
      'The response of getDiscovery violates the contract: name',
    );
  });
});

describe('a legacy authority', () => {
  const instance = { uuid: 'a', name: 'Old', attributes: [] };
  const old = defineConnector({
    name: 'old',
    functions: { legacyAuthorityProvider: { kinds: ['Old'] } },
    create: () => ({
      functions: {
        legacyAuthorityProvider: {
          listAttributeDefinitions: () => [host],
          listAuthorityInstances: () => [instance],
          createAuthorityInstance: () => instance,
          getAuthorityInstance: () => instance,
          updateAuthorityInstance: () => instance,
          listCAsInProfile: ({ params }) => [{ id: params.endEntityProfileId + 1, name: 'CA' }],
        },
      },
    }),
  });

  it('returns its attributes under both of its function group codes', async () => {
    for (const call of await transportsFor(old))
      for (const code of ['legacyAuthorityProvider', 'authorityProvider'] as const)
        expect(await call(base.listAttributeDefinitions, kindParams(code, 'Old'))).toHaveLength(1);
  });

  it('receives numeric path parameters as numbers', async () => {
    for (const call of await transportsFor(old))
      expect(await call(legacy.listCAsInProfile, { params: { uuid: 'a', endEntityProfileId: 7 } })).toEqual([
        { id: 8, name: 'CA' },
      ]);
  });
});

describe('a connector definition', () => {
  it('is rejected if two function groups have handlers for the same path', async () => {
    const instances = {
      listAuthorityInstances: () => [],
      createAuthorityInstance: () => ({ uuid: 'a', name: 'A', attributes: [] }),
      getAuthorityInstance: () => ({ uuid: 'a', name: 'A', attributes: [] }),
      updateAuthorityInstance: () => ({ uuid: 'a', name: 'A', attributes: [] }),
    };
    const both = defineConnector({
      name: 'both',
      functions: { authorityProvider: { kinds: ['New'] }, legacyAuthorityProvider: { kinds: ['Old'] } },
      create: () => ({
        functions: { authorityProvider: instances as never, legacyAuthorityProvider: instances },
      }),
    });
    await expect(startConnector(both, contextWithoutDatabase())).rejects.toThrow('listAuthorityInstances');
  });

  it('is rejected if it has a handler for an operation outside its group', async () => {
    const odd = defineConnector({
      name: 'odd',
      functions: { complianceProvider: { kinds: ['Rules'] } },
      create: () => ({ functions: { complianceProvider: { ...complianceHandlers, listRuels: () => [] } as never } }),
    });
    await expect(startConnector(odd, contextWithoutDatabase())).rejects.toThrow('no operation listRuels');
  });

  it('returns 404 for any token option if it has no handler for token options', async () => {
    const unexpectedCall = () => Promise.reject(new Error('must not be called'));
    const names = Object.keys(cryptography).filter((name) => name !== 'getCreateTokenAttributes');
    const tokens = defineConnector({
      name: 'tokens',
      functions: { cryptographyProvider: { kinds: ['Soft'] } },
      create: () => ({
        functions: { cryptographyProvider: Object.fromEntries(names.map((name) => [name, unexpectedCall])) as never },
      }),
    });
    for (const call of await transportsFor(tokens))
      await expect(call(cryptography.getCreateTokenAttributes, { params: { option: 'new' } })).rejects.toMatchObject({
        status: 404,
        message: 'Option new does not exist.',
      });
  });
});
