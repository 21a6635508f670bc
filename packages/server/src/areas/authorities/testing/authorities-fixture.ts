// For tests: the authorities area with a separate database, and connectors that behave as each test specifies.
import { authorityOperations, type Operation, type RequestAttributeDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { createFakeClock, testPlatform } from '@signetry/testkit/services';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { createAttributeEngine } from '../../attributes/index.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createBreakableAudit } from '../../connectors/testing/breakable-audit.ts';
import { startFakeConnector, type FakeConnector } from '../../connectors/testing/fake-connector.ts';
import { createConnectorsArea, type ConnectorResponse } from '../../connectors/index.ts';
import { createAuthoritiesArea } from '../index.ts';

type Operations = typeof authorityOperations;

export const contextWith = (audit?: RequestContext['audit']): RequestContext => ({ ...coreContext('test'), audit });

export const text = (name: string, value: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name,
  contentType: 'string',
  content: [{ data: value }],
});
export const name = () => `authority ${newUuid()}`;

export async function createAuthoritiesFixture() {
  const database = await testDatabase();
  const clock = createFakeClock();
  const platform = testPlatform(database, {
    clock,
    publicUrl: () => 'https://pki.test',
    revocationUrl: () => 'http://crl.test',
  });
  const audit = createBreakableAudit(createAuditArea(platform).trail);
  const attributes = createAttributeEngine(platform);
  const connectors = createConnectorsArea(platform, { audit, attributes });
  const area = createAuthoritiesArea(platform, { audit, attributes, connectors });
  const fakes: FakeConnector[] = [];
  let latest = '';

  const startConnector = async (): Promise<FakeConnector> => {
    const fake = await startFakeConnector();
    fakes.push(fake);
    return fake;
  };

  /** Registers a connector, which is used for authorities created afterward. */
  async function addConnector(fake: FakeConnector): Promise<string> {
    const create = connectors.routes?.find(({ operation }) => operation.id === 'createConnector');
    const body = { name: `connector ${newUuid()}`, url: fake.url, authType: 'none' };
    const context = contextWith({ module: 'core', resource: 'connectors', operation: 'create' });
    // The operation defines the type of its input.
    const answer = await create?.handle({ params: {}, query: {}, body, context } as never);
    latest = (answer as { uuid: string }).uuid;
    return latest;
  }

  async function call<Key extends keyof Operations>(
    key: Key,
    input: { params?: object; body?: unknown } = {},
  ): Promise<ConnectorResponse<Operations[Key]>> {
    const operation: Operation = authorityOperations[key];
    const route = area.routes?.find((each) => each.operation === operation);
    const body = operation.body?.parse(input.body);
    const context = contextWith(operation.audit);
    return route?.handle({ params: input.params ?? {}, query: {}, body, context } as never) as Promise<
      ConnectorResponse<Operations[Key]>
    >; // The operation defines the type of its response.
  }

  const create = async (facts: object = {}): Promise<string> => {
    const attributesOfIt = [text('data_address', 'ca.test')];
    const { uuid } = await call('createAuthorityInstance', {
      body: { name: name(), connectorUuid: latest, kind: 'Fake', attributes: attributesOfIt, ...facts },
    });
    return uuid;
  };
  /** Returns the operations recorded for an authority. */
  const audits = async (uuid: string): Promise<readonly string[]> => {
    const rows = await database.query<{ operation: string }>(
      'SELECT operation FROM audit_record WHERE resource_objects @> $1::jsonb ORDER BY id',
      [JSON.stringify([{ uuid }])],
    );
    return rows.map(({ operation }) => operation);
  };
  const stop = async (): Promise<void> => {
    await connectors.stop?.();
    await Promise.all(fakes.map((each) => each.close()));
  };

  return { database, clock, audit, connectors, area, startConnector, addConnector, call, create, audits, stop };
}
