// Shared fixture of the area's tests: the area on its own database, a connector for each test, and operations called as
// a client would.
import {
  connectorCallOperations,
  connectorManagementOperations,
  connectorV2Operations,
  type Operation,
  type RequestAttributeDto,
} from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { closeAfterTest, createFakeClock, testPlatform } from '@signetry/testkit/services';
import { coreContext, type RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Route } from '../../../platform/http/routes.ts';
import { createAttributeEngine } from '../../attributes/index.ts';
import { createAuditArea } from '../../audit/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createConnectorsArea, type ConnectorResponse, type ConnectorsParts } from '../index.ts';
import { createBreakableAudit } from './breakable-audit.ts';
import { startFakeConnector, type FakeConnector } from './fake-connector.ts';

const operations = { ...connectorManagementOperations, ...connectorCallOperations, ...connectorV2Operations };
type Operations = typeof operations;

export type TestConnectors = Awaited<ReturnType<typeof createTestConnectors>>;

/** `facts` replaces platform services; `parts` sets the area's other dependencies. */
export async function createTestConnectors(facts: Partial<Platform> = {}, parts: Partial<ConnectorsParts> = {}) {
  const database = await testDatabase();
  const clock = createFakeClock();
  const platform = testPlatform(database, { clock, ...facts });
  const audit = createBreakableAudit(createAuditArea(platform).trail);
  const newArea = () =>
    createConnectorsArea(platform, { audit, attributes: createAttributeEngine(platform), ...parts });
  const area = newArea();

  /** Calls an operation as a client would, after authentication and parsing. */
  async function call<Key extends keyof Operations>(
    key: Key,
    input: { params?: object; query?: object; body?: unknown; signal?: AbortSignal } = {},
  ): Promise<ConnectorResponse<Operations[Key]>> {
    const operation: Operation = operations[key];
    const route = (area.routes ?? []).find((each: Route) => each.operation === operation);
    const body = operation.body?.parse(input.body);
    const context: RequestContext = { ...coreContext('test', input.signal), audit: operation.audit };
    return route?.handle({ params: input.params ?? {}, query: input.query ?? {}, body, context } as never) as Promise<
      ConnectorResponse<Operations[Key]>
    >; // typed by the operation
  }

  return {
    database,
    platform,
    clock,
    audit,
    area,
    /** Creates the area of another node. */
    newArea,
    call,
    /** Creates a connector at a URL; returns its identifier. */
    async create(facts: { readonly url: string; readonly [further: string]: unknown }): Promise<string> {
      const { uuid } = await call('createConnector', { body: { name: newName(), authType: 'none', ...facts } });
      return uuid;
    },
    audits: (uuid: string) =>
      database.query<{ operation: string; message: string | null }>(
        'SELECT operation, message FROM audit_record WHERE resource_objects @> $1::jsonb',
        [JSON.stringify([{ uuid }])],
      ),
  };
}

/** Starts a connector that is closed after the test. */
export async function newFakeConnector(): Promise<FakeConnector> {
  const fake = await startFakeConnector();
  closeAfterTest(fake.close);
  return fake;
}

export const newName = () => `connector ${newUuid()}`;

export const text = (attribute: string, value: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name: attribute,
  contentType: 'string',
  content: [{ data: value }],
});

export const secret = (attribute: string, value?: string): RequestAttributeDto => ({
  uuid: newUuid(),
  name: attribute,
  contentType: 'secret',
  content: [{ data: value === undefined ? {} : { secret: value } }],
});

/** Authentication by username and password; without an argument, the password is omitted. */
export const basic = (password?: string) => ({
  authType: 'basic',
  authAttributes: [text('username', 'user'), secret('password', password)],
});
