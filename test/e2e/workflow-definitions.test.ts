// Definitions of the rules engine from the caller's perspective: which fields can be compared and set, who may
// associate triggers, and what happens to associations when their objects are deleted.
import type { Client } from '@signetry/client';
import type { Resource, SearchFieldDataByGroupDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  storeAttributes,
  KEY_STORE_KIND,
  startDiscoveryProvider,
  type DiscoveryProvider,
} from '../load/discovery-provider.ts';
import { registerProvider } from './testing/discoveries.ts';
import { limitedUser } from './testing/limited-user.ts';
import { createAuthority } from './testing/profiles.ts';

const server = sharedTestServer({
  args: ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8'],
});
let client: Client;
let provider: DiscoveryProvider;
let connectorUuid: string;
let groupUuid: string;

beforeAll(async () => {
  ({ client } = server);
  provider = await startDiscoveryProvider();
  connectorUuid = await registerProvider(client, provider);
  ({ uuid: groupUuid } = await client.groups.createGroup({ body: { name: 'operations' } }));
});
afterAll(() => provider?.stop());

const nameOf = (what: string) => `${what} ${randomUUID()}`;

/** Creates a trigger that only ignores. */
const createIgnoringTrigger = async (more: object = {}) =>
  client.workflowTriggers.createTrigger({
    body: { name: nameOf('ignore'), resource: 'certificates', ignoreTrigger: true, ...more },
  });

const rejection = (status: number, text: string) => ({ status, message: expect.stringContaining(text) });

const fieldsOf = async (resource: Resource, settable: boolean): Promise<readonly SearchFieldDataByGroupDto[]> =>
  client.catalogues.listResourceRuleFilterFields({ params: { resource }, query: { settable } });

const valuesFor: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 1,
  date: '2026-11-23',
  datetime: '2026-11-23T00:00:00.000Z',
  boolean: true,
};

describe('the available fields', () => {
  it.each(['certificates', 'keys', 'discoveries', 'approvals', 'jobs'] as const)(
    'of %s can be compared in conditions using every operator that is offered',
    async (resource) => {
      const items = (await fieldsOf(resource, false)).flatMap(
        ({ filterFieldSource: fieldSource, searchFieldData = [] }) =>
          searchFieldData.flatMap(({ fieldIdentifier, type, conditions, value, platformEnum }) => {
            // List fields have these values.
            const [offered = platformEnum ? undefined : '1'] = (value ?? []) as unknown[];
            return conditions.map((operator) => ({
              fieldSource,
              fieldIdentifier,
              operator,
              value:
              operator.startsWith('COUNT') ? 1
              : operator.startsWith('IN_') ? 'P1D'
              : type === 'list' ? offered
              : valuesFor[type], // prettier-ignore
            }));
          }),
      );
      expect(items.length).toBeGreaterThan(5);
      for (let from = 0; from < items.length; from += 50) {
        const part = items.slice(from, from + 50);
        const body = { name: nameOf(resource), type: 'checkField', resource, items: part } as const;
        await client.workflowRules.createCondition({ body });
      }
    },
  );

  it('can be set by executions if they are listed as settable, to any of the objects offered', async () => {
    await client.customAttributes.createCustomAttribute({
      body: { name: 'team', label: 'Team', contentType: 'string', resources: ['certificates', 'keys'] },
    });
    for (const resource of ['certificates', 'keys'] as const) {
      const groups = await fieldsOf(resource, true);
      const items = groups.flatMap(({ filterFieldSource: fieldSource, searchFieldData = [] }) =>
        searchFieldData.map(({ fieldIdentifier, value }) => ({
          fieldSource,
          fieldIdentifier,
          data: fieldSource === 'custom' ? [{ data: 'network' }] : ((value ?? []) as unknown[]).slice(0, 1),
        })),
      );
      const fields = items.map(({ fieldIdentifier }) => fieldIdentifier);
      expect(fields).toEqual(
        resource === 'keys'
          ? ['team|STRING', 'CK_GROUP', 'CK_OWNER']
          : ['team|STRING', 'GROUP_NAME', 'OWNER', 'RA_PROFILE_NAME'],
      );
      expect(items.every(({ data }) => data.length === 1)).toBe(true);
      const body = { name: nameOf('set'), type: 'setField', resource, items } as const;
      const kept = await client.workflowActions.createExecution({ body });
      expect(kept.items).toMatchObject(items);
    }
    expect(await fieldsOf('discoveries', true)).toEqual([]);
  });

  it('accept only patterns that the database can parse', async () => {
    const item = { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'MATCHES', value: '(' } as const;
    const of = { name: nameOf('bad'), type: 'checkField', resource: 'certificates' } as const;
    const body = { ...of, items: [item] };
    await expect(client.workflowRules.createCondition({ body })).rejects.toMatchObject(rejection(422, 'COMMON_NAME'));
  });
});

describe('an invalid definition', () => {
  const condition = { type: 'checkField', resource: 'certificates' } as const;
  const item = { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'EQUALS', value: 'x' } as const;

  it.each([
    ['a blank name', { ...condition, name: ' ', items: [item] }, 422],
    ['no items', { ...condition, name: 'x', items: [] }, 422],
    ['too many items', { ...condition, name: 'x', items: Array.from({ length: 101 }, () => item) }, 422],
    ['text that cannot be stored', { ...condition, name: 'x', items: [{ ...item, value: 'a\u0000' }] }, 400],
    ['a name that cannot be stored', { ...condition, name: 'x\ud800', items: [item] }, 400],
    [
      'an attribute that cannot be stored',
      { ...condition, name: 'x', items: [{ ...item, fieldSource: 'meta', fieldIdentifier: 'a\u0000|STRING' }] },
      400,
    ],
    ['an unknown source', { ...condition, name: 'x', items: [{ ...item, fieldSource: 'nowhere' }] }, 400],
    ['an unknown type', { ...condition, name: 'x', type: 'guess', items: [item] }, 400],
  ])('is rejected in conditions: %s', async (_what, body, status) => {
    await expect(client.workflowRules.createCondition({ body: body as never })).rejects.toMatchObject({ status });
  });

  it.each([
    [
      'an object instead of a string',
      { fieldSource: 'custom', fieldIdentifier: 'team|STRING', data: { data: { text: 'a' } } },
    ],
    ['a different type', { fieldSource: 'custom', fieldIdentifier: 'team|INTEGER', data: 3 }],
    ['deeply nested data', { fieldSource: 'custom', fieldIdentifier: 'team|STRING', data: [[[[[[]]]]]] }],
    ['a reserved name', { fieldSource: 'property', fieldIdentifier: '__proto__', data: [] }],
  ])('is rejected in executions: %s', async (_what, given) => {
    const body = { name: nameOf('x'), type: 'setField', resource: 'certificates', items: [given] };
    await expect(client.workflowActions.createExecution({ body: body as never })).rejects.toMatchObject({
      status: 422,
    });
  });

  it('is reported differently from names already in use and from unknown objects', async () => {
    const { name } = await createIgnoringTrigger();
    const again = client.workflowTriggers.createTrigger({
      body: { name, resource: 'certificates', ignoreTrigger: true },
    });
    await expect(again).rejects.toMatchObject(rejection(400, 'already exists'));
    const missing = client.workflowTriggers.getTrigger({ params: { triggerUuid: randomUUID() } });
    await expect(missing).rejects.toMatchObject(rejection(404, 'Trigger'));
  });
});

describe('trigger associations', () => {
  it('with an RA profile or a group are removed along with that object', async () => {
    const { uuid: triggerUuid } = await createIgnoringTrigger();
    const path = await createAuthority(client, { name: nameOf('CA') });
    const { uuid: other } = await client.groups.createGroup({ body: { name: nameOf('group') } });
    const objects = { raProfiles: path.raProfileUuid, groups: other } as const;
    const listAssociations = (resource: 'raProfiles' | 'groups') =>
      client.workflowTriggers.getEventTriggersAssociations({
        params: { resource, associationObjectUuid: objects[resource] },
      });
    for (const resource of ['raProfiles', 'groups'] as const) {
      const event = 'certificate_expiring' as const;
      const body = { event, resource, objectUuid: objects[resource], triggerUuids: [triggerUuid] };
      await client.workflowTriggers.associateEventTriggers({ body });
      expect(await listAssociations(resource)).toEqual({ certificate_expiring: [triggerUuid] });
    }
    const kept = client.workflowTriggers.deleteTrigger({ params: { triggerUuid } });
    await expect(kept).rejects.toMatchObject(rejection(422, 'certificate_expiring on groups'));
    await client.raProfiles.deleteRaProfile({ params: path });
    await client.groups.deleteGroup({ params: { uuid: other } });
    expect([await listAssociations('raProfiles'), await listAssociations('groups')]).toEqual([{}, {}]);
    await client.workflowTriggers.deleteTrigger({ params: { triggerUuid } });
  });

  it('with the platform are part of the settings', async () => {
    const { uuid } = await createIgnoringTrigger({ event: 'certificate_discovered' });
    await client.eventSettings.updateEventSettings({ body: { event: 'certificate_discovered', triggerUuids: [uuid] } });
    const eventsMapping = { certificate_discovered: [uuid] };
    expect(await client.eventSettings.getEventsSettings()).toEqual({ eventsMapping });
    const elsewhere = { eventsMapping: { ...eventsMapping, certificate_expiring: [uuid] } };
    await expect(client.eventSettings.updateEventsSettings({ body: elsewhere })).rejects.toMatchObject(
      rejection(422, 'certificate_discovered'),
    );
    expect(await client.eventSettings.getEventsSettings()).toEqual({ eventsMapping });
    await client.eventSettings.updateEventsSettings({ body: { eventsMapping: {} } });
    expect(await client.eventSettings.getEventsSettings()).toEqual({ eventsMapping: {} });
  });

  it('with a discovery are created, shown and removed along with it', async () => {
    const trigger = await createIgnoringTrigger();
    const scan = { connectorUuid, kind: KEY_STORE_KIND, attributes: storeAttributes('empty') };
    const body = { name: nameOf('discovery'), ...scan, triggers: [trigger.uuid] };
    const { uuid } = await client.discoveries.createDiscovery({ body });
    const { triggers } = await client.discoveries.getDiscovery({ params: { uuid } });
    expect(triggers).toEqual([
      { uuid: trigger.uuid, name: trigger.name, resource: 'certificates', ignoreTrigger: true },
    ]);
    const params = { resource: 'discoveries', associationObjectUuid: uuid } as const;
    expect(await client.workflowTriggers.getEventTriggersAssociations({ params })).toEqual({
      certificate_discovered: [trigger.uuid],
    });
    await client.discoveries.deleteDiscovery({ params: { uuid } });
    await client.workflowTriggers.deleteTrigger({ params: { triggerUuid: trigger.uuid } });
  });

  it('with a discovery are rejected before the discovery starts', async () => {
    const { uuid } = await createIgnoringTrigger({ event: 'certificate_expiring' });
    const scan = {
      name: nameOf('discovery'),
      connectorUuid,
      kind: KEY_STORE_KIND,
      attributes: storeAttributes('empty'),
    };
    const beginDiscovery = (triggers: string[]) => client.discoveries.createDiscovery({ body: { ...scan, triggers } });
    await expect(beginDiscovery([uuid])).rejects.toMatchObject(rejection(422, 'certificate_expiring'));
    await expect(beginDiscovery([randomUUID()])).rejects.toMatchObject(rejection(404, 'Trigger'));
    const request = { ...scan, triggers: [uuid] };
    const scheduled = { jobName: nameOf('job'), cronExpression: '0 0 0 1 1 ?', oneTime: false, request };
    await expect(client.discoveries.scheduleDiscovery({ body: scheduled })).rejects.toMatchObject({ status: 422 });
  });

  it('require permission to change the associated object', async () => {
    const { uuid } = await createIgnoringTrigger();
    const rights = [
      ['triggers', 'update'],
      ['triggers', 'detail'],
      ['groups', 'detail'],
    ] as const;
    const without = await limitedUser(server, rights);
    const of = { event: 'certificate_expiring', resource: 'groups', objectUuid: groupUuid } as const;
    const body = { ...of, triggerUuids: [uuid] };
    await expect(without.workflowTriggers.associateEventTriggers({ body })).rejects.toMatchObject({ status: 404 });
    const able = await limitedUser(server, [...rights, ['groups', 'update']]);
    await able.workflowTriggers.associateEventTriggers({ body });
    await client.workflowTriggers.associateEventTriggers({ body: { ...body, triggerUuids: [] } });
  });

  it('are visible to users who can see the triggers', async () => {
    const limited = await limitedUser(server, [
      ['settings', 'update'],
      ['settings', 'detail'],
    ]);
    const { uuid } = await createIgnoringTrigger();
    const body = { eventsMapping: { certificate_expiring: [uuid] } };
    await expect(limited.eventSettings.updateEventsSettings({ body })).rejects.toMatchObject(rejection(404, 'Trigger'));
  });
});

describe('executions', () => {
  it('can set only what their author can use', async () => {
    const limited = await limitedUser(server, [['actions', 'create']]);
    const item = { fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', data: groupUuid } as const;
    const of = { name: nameOf('set'), type: 'setField', resource: 'certificates' } as const;
    const body = { ...of, items: [item] };
    await expect(limited.workflowActions.createExecution({ body })).rejects.toMatchObject(rejection(404, groupUuid));
    const able = await limitedUser(server, [
      ['actions', 'create'],
      ['groups', 'detail'],
    ]);
    expect((await able.workflowActions.createExecution({ body })).items).toEqual([
      { ...item, data: [{ uuid: groupUuid, name: 'operations' }] },
    ]);
  });
});
