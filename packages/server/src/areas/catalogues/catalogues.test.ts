import type { Resource, ResourceEventDto, SearchFieldDataByGroupDto } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { coreContext } from '../../kernel/actor.ts';
import type { Route } from '../../platform/http/routes.ts';
import { createCatalogsArea } from './index.ts';

const ofCertificates: SearchFieldDataByGroupDto[] = [{ filterFieldSource: 'custom', searchFieldData: [] }];
const { routes = [] } = createCatalogsArea({
  ruleFields: () => ({ certificates: () => Promise.resolve(ofCertificates) }),
});

async function ask<Answer>(id: string, params: object = {}, query: object = {}): Promise<Answer> {
  const route = routes.find(({ operation }) => operation.id === id);
  if (!route) throw new Error(`no operation ${id}`);
  const input = { params, query, body: undefined, context: coreContext('test') } as unknown as Parameters<
    Route['handle']
  >[0]; // The input is already parsed.
  return (await route.handle(input)) as Answer;
}

const eventsOf = async (resource: Resource) =>
  (await ask<ResourceEventDto[]>('listResourceEvents', { resource })).map(({ event }) => event);

describe('resource events', () => {
  it("include the resource's own events and those it can override", async () => {
    expect(await eventsOf('approvals')).toEqual(['approval_requested', 'approval_closed']);
    expect(await eventsOf('groups')).toEqual([
      'certificate_status_changed',
      'certificate_action_performed',
      'certificate_expiring',
    ]);
    expect(await eventsOf('discoveries')).toEqual(['certificate_discovered', 'discovery_finished']);
    expect(await eventsOf('users')).toEqual([]);
  });

  it('are all listed by code, with the resource that they refer to', async () => {
    const all = await ask<Record<string, ResourceEventDto[]>>('listAllResourceEvents');
    expect(Object.keys(all)).toHaveLength(9);
    expect(all['scheduled_job_finished']).toEqual([{ event: 'scheduled_job_finished', producedResource: 'jobs' }]);
  });
});

describe('rule fields', () => {
  const fieldsOf = async (resource: Resource, query = {}) =>
    (await ask<SearchFieldDataByGroupDto[]>('listResourceRuleFilterFields', { resource }, query))
      .flatMap(({ searchFieldData = [] }) => searchFieldData)
      .map(({ fieldIdentifier }) => fieldIdentifier);

  it('come from the area that has their values', async () => {
    const params = { resource: 'certificates' };
    expect(await ask('listResourceRuleFilterFields', params)).toBe(ofCertificates);
  });

  it('come from the catalog if their values are not required', async () => {
    expect(await fieldsOf('approvals')).toContain('APPROVAL_STATUS');
    expect(await fieldsOf('auditLogs')).not.toContain('AUDIT_LOG_RESOURCE_UUID');
    expect(await fieldsOf('keys', { settable: true })).toEqual(['CK_GROUP', 'CK_OWNER']);
    expect(await fieldsOf('users')).toEqual([]);
  });
});
