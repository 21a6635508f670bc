import {
  conditionsByType,
  eventSettingsOperations,
  workflowActionOperations,
  workflowRuleOperations,
  workflowTriggerOperations,
  type ConditionRequestDto,
  type TriggerRequestDto,
} from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import { testPlatform } from '@signetry/testkit/services';
import { beforeEach, describe, expect, it } from 'vitest';
import { coreContextFor, type RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAttributeEngine } from '../attributes/index.ts';
import { createAuditArea } from '../audit/index.ts';
import { createAssociations, type Associations } from './associations/service.ts';
import { createDefinitionChange } from './definitions/change.ts';
import { createActions, createRules } from './definitions/compositions.ts';
import { createConditions } from './definitions/conditions.ts';
import { createExecutions } from './definitions/executions.ts';
import { readAssociations, readRevision } from './definitions/read-sets.ts';
import { sql } from 'kysely';
import { column } from '../../platform/database/filter/reading.ts';
import { evaluatedObjects } from '../../platform/database/filter/read-values.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';
import { createSubjects } from './definitions/subjects.ts';
import { evaluatedApprovals } from '../approvals/index.ts';
import { evaluatedJobs } from '../scheduler/index.ts';
import { createTriggers } from './definitions/triggers.ts';

const contextOf = coreContextFor(workflowRuleOperations.createCondition);
const inActions = coreContextFor(workflowActionOperations.createAction);
const inTriggers = coreContextFor(workflowTriggerOperations.createTrigger);
const associating = coreContextFor(workflowTriggerOperations.associateEventTriggers);
const inSettings = coreContextFor(eventSettingsOperations.updateEventSettings);

/** Applies to jobs, so the conditions need nothing from other areas. */
const isSystem: ConditionRequestDto = {
  name: 'of the platform',
  type: 'checkField',
  resource: 'jobs',
  items: [{ fieldSource: 'property', fieldIdentifier: 'SCHEDULED_JOB_SYSTEM', operator: 'EQUALS', value: true }],
};

const profile = { uuid: newUuid(), name: 'by mail' };
const group = { uuid: newUuid(), name: 'operations' };

const unseen = { findShown: async () => new Map<string, string>(), findChosen: async () => ({ uuids: [], found: 0 }) };
const { lookup: lookUpName } = evaluatedObjects(
  sqlFields('certificates', { COMMON_NAME: column('c.common_name') }).lookup,
  {
    from: sql`certificate AS c`,
    key: sql`c.uuid`,
  },
);

describe('definitions of the rules engine', () => {
  let platform: Platform;
  let parts: ReturnType<typeof create>;

  function create() {
    const { trail: audit } = createAuditArea(platform);
    const change = createDefinitionChange(audit);
    const subjects = createSubjects([
      { resource: 'jobs', evaluated: () => evaluatedJobs, settable: {}, ...unseen },
      { resource: 'approvals', evaluated: () => evaluatedApprovals, settable: {}, ...unseen },
      {
        ...unseen,
        resource: 'certificates',
        evaluated: () => ({ ...evaluatedJobs, lookup: lookUpName }),
        settable: { GROUP_NAME: { objects: 'groups', many: true }, OWNER: { objects: 'users', many: false } },
      },
    ]);
    const groups = async () => [group];
    const objectNames = () => ({ groups });
    const executions = createExecutions(platform, {
      change,
      subjects,
      attributes: createAttributeEngine(platform),
      findNotificationProfiles: async (_executor, uuids = []) => (uuids.includes(profile.uuid) ? [profile] : []),
      findObjects: { raProfiles: async () => [], groups, users: async () => [] },
    });
    return {
      executions,
      conditions: createConditions(platform, { change, subjects }),
      rules: createRules(platform, { change, subjects }),
      actions: createActions(platform, { change, subjects, executions }),
      triggers: createTriggers(platform, { change, subjects, executions, objectNames }),
      associations: createAssociations(platform, { audit, objectNames }),
    };
  }

  beforeEach(async () => {
    platform = testPlatform(await testDatabase());
    parts = create();
  });

  const revision = () => readRevision(platform.database.executor);

  async function trigger(
    name: string,
    { resource = 'jobs', ...more }: Partial<TriggerRequestDto> = {},
    context: RequestContext = inTriggers,
  ) {
    const notify = await parts.executions.create(
      {
        name: `${name} notify`,
        type: 'sendNotification',
        resource,
        items: [{ notificationProfileUuid: profile.uuid }],
      },
      inActions,
    );
    const action = await parts.actions.create(
      { name: `${name} tell`, resource, executionsUuids: [notify.uuid] },
      inActions,
    );
    const actionsUuids = more.ignoreTrigger ? [] : [action.uuid];
    return parts.triggers.create({ name, resource, ignoreTrigger: false, actionsUuids, ...more }, context);
  }

  const rejection = (text: string) => ({ code: 'rejected_by_rules', message: expect.stringContaining(text) });

  describe('conditions', () => {
    it('are stored as sent, except that objects used as values are replaced by their names', async () => {
      const item = { fieldSource: 'property', fieldIdentifier: 'SCHEDULED_JOB_NAME', operator: 'EQUALS' } as const;
      const kept = await parts.conditions.create(
        { ...isSystem, items: [{ ...item, value: [{ uuid: newUuid(), name: 'nightly' }, 'weekly'] }] },
        contextOf,
      );
      expect(kept.items).toEqual([{ ...item, value: ['nightly', 'weekly'] }]);
      expect(await parts.conditions.detail(kept.uuid)).toEqual(kept);
    });

    it('compare existing fields using operators that the fields support', async () => {
      const unknown = { ...isSystem.items[0], fieldIdentifier: 'COLOUR' } as (typeof isSystem.items)[number];
      await expect(parts.conditions.create({ ...isSystem, items: [unknown] }, contextOf)).rejects.toMatchObject({
        code: 'invalid_fields',
        message: expect.stringContaining('COLOUR'),
      });
      expect(conditionsByType.boolean).not.toContain('GREATER');
      const wrong = { ...isSystem.items[0], operator: 'GREATER' } as (typeof isSystem.items)[number];
      await expect(parts.conditions.create({ ...isSystem, items: [wrong] }, contextOf)).rejects.toThrow('GREATER');
    });

    it.each(['ANY', 'NONE', 'users'] as const)('cannot apply to %s', async (resource) => {
      const refused = parts.conditions.create({ ...isSystem, resource }, contextOf);
      await expect(refused).rejects.toMatchObject(rejection(`, not to ${resource}`));
    });

    it('must have items and a unique name', async () => {
      await expect(parts.conditions.create({ ...isSystem, items: [] }, contextOf)).rejects.toMatchObject(
        rejection('at least one'),
      );
      await parts.conditions.create(isSystem, contextOf);
      await expect(parts.conditions.create(isSystem, contextOf)).rejects.toMatchObject({ code: 'already_exists' });
    });
  });

  describe('rules', () => {
    it('have their conditions in the requested order, without duplicates', async () => {
      const [a, b] = [
        await parts.conditions.create({ ...isSystem, name: 'a' }, contextOf),
        await parts.conditions.create({ ...isSystem, name: 'b' }, contextOf),
      ];
      const asked = { name: 'r', resource: 'jobs' as const };
      const rule = await parts.rules.create(
        { ...asked, conditionsUuids: [b.uuid, a.uuid, b.uuid.toUpperCase()] },
        contextOf,
      );
      expect(rule.conditions).toEqual([b, a]);
      const changed = await parts.rules.update(
        rule.uuid,
        { description: 'both', conditionsUuids: [a.uuid, b.uuid] },
        contextOf,
      );
      expect(changed).toEqual({ ...rule, description: 'both', conditions: [a, b] });
    });

    it('accept conditions for their own resource; rules for the resource ANY accept all conditions', async () => {
      const jobs = await parts.conditions.create(isSystem, contextOf);
      const ofApprovals = { name: 'r', resource: 'approvals' as const, conditionsUuids: [jobs.uuid] };
      await expect(parts.rules.create(ofApprovals, contextOf)).rejects.toMatchObject(
        rejection('Condition of the platform applies to jobs, not to approvals.'),
      );
      await expect(parts.rules.create({ ...ofApprovals, resource: 'ANY' }, contextOf)).resolves.toMatchObject({
        conditions: [{ uuid: jobs.uuid }],
      });
      expect(await parts.rules.list('jobs')).toEqual([]);
      expect(await parts.rules.list('ANY')).toHaveLength(1);
    });

    it('require existing conditions and prevent the deletion of these conditions', async () => {
      const asked = { name: 'r', resource: 'jobs' as const };
      await expect(parts.rules.create({ ...asked, conditionsUuids: [] }, contextOf)).rejects.toMatchObject(
        rejection('conditionsUuids'),
      );
      const missing = parts.rules.create({ ...asked, conditionsUuids: [newUuid()] }, contextOf);
      await expect(missing).rejects.toMatchObject({ code: 'object_not_found' });
      const condition = await parts.conditions.create(isSystem, contextOf);
      const rule = await parts.rules.create({ ...asked, conditionsUuids: [condition.uuid] }, contextOf);
      await expect(parts.conditions.remove(condition.uuid, contextOf)).rejects.toMatchObject(rejection('(1): r.'));
      await parts.rules.remove(rule.uuid, contextOf);
      await parts.conditions.remove(condition.uuid, contextOf);
      expect(await parts.conditions.list(undefined)).toEqual([]);
    });
  });

  describe('executions', () => {
    const setting = (items: object[]) =>
      parts.executions.create({ name: 'set', type: 'setField', resource: 'certificates', items }, inActions);

    it('set objects by identifier or by object', async () => {
      const field = { fieldSource: 'property', fieldIdentifier: 'GROUP_NAME' } as const;
      for (const data of [group.uuid, group.uuid.toUpperCase(), [group.uuid], { uuid: group.uuid }, [group]]) {
        const { uuid, items } = await setting([{ ...field, data }]);
        expect(items).toEqual([{ ...field, data: [group] }]);
        await parts.executions.remove(uuid, inActions);
      }
      for (const data of [null, undefined, [], '']) {
        const { uuid, items } = await setting([{ ...field, data }]);
        expect(items).toEqual([{ ...field, data: [] }]);
        await parts.executions.remove(uuid, inActions);
      }
    });

    it.each([
      [
        'only one value is allowed',
        { fieldSource: 'property', fieldIdentifier: 'OWNER', data: [newUuid(), newUuid()] },
      ],
      [
        'the data must be a UUID, or objects with a UUID',
        { fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', data: ['operations'] },
      ],
      ['has no settable property field', { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', data: 'x' }],
      ['has no settable property field', { fieldSource: 'property', fieldIdentifier: 'constructor', data: 'x' }],
      ['has no settable meta field', { fieldSource: 'meta', fieldIdentifier: 'GROUP_NAME', data: 'x' }],
      ['Attribute colour is unknown.', { fieldSource: 'custom', fieldIdentifier: 'colour|STRING', data: 'red' }],
      ['name|CONTENTTYPE', { fieldSource: 'custom', fieldIdentifier: 'colour', data: 'red' }],
      ['secrets', { fieldSource: 'custom', fieldIdentifier: 'pin|SECRET', data: { secret: '1234' } }],
      ['fieldSource and fieldIdentifier are required', { data: 'x' }],
    ])('reject impossible settings: %s', async (text, item) => {
      await expect(setting([item])).rejects.toMatchObject(rejection(text));
    });

    it('reject objects that do not exist', async () => {
      const owner = { fieldSource: 'property', fieldIdentifier: 'OWNER', data: newUuid() };
      const missing = { code: 'object_not_found', message: expect.stringContaining(`User ${owner.data}`) };
      await expect(setting([owner])).rejects.toMatchObject(missing);
    });

    it('set each field at most once', async () => {
      const item = { fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', data: [] };
      await expect(setting([item, item])).rejects.toMatchObject(rejection('is listed more than once'));
    });

    it("return the notification profile's name, and reject a missing notification profile", async () => {
      const sending = { name: 'send', type: 'sendNotification', resource: 'jobs' } as const;
      const kept = await parts.executions.create(
        { ...sending, items: [{ notificationProfileUuid: profile.uuid }] },
        inActions,
      );
      expect(kept.items).toEqual([{ notificationProfileUuid: profile.uuid, notificationProfileName: profile.name }]);
      const missing = parts.executions.update(
        kept.uuid,
        { items: [{ notificationProfileUuid: newUuid() }] },
        inActions,
      );
      await expect(missing).rejects.toMatchObject({ code: 'object_not_found' });
      for (const items of [[{}], []])
        await expect(parts.executions.update(kept.uuid, { items }, inActions)).rejects.toMatchObject({
          code: 'rejected_by_rules',
        });
      const aboutGroups = { ...sending, name: 'other', resource: 'groups' as const };
      const refused = parts.executions.create({ ...aboutGroups, items: kept.items }, inActions);
      await expect(refused).rejects.toMatchObject(rejection('groups has no events'));
    });
  });

  describe('triggers', () => {
    it.each([
      ['actionsUuids', { ignoreTrigger: false, actionsUuids: [] }],
      ['ignores', { ignoreTrigger: true, actionsUuids: [newUuid()] }],
      ['required for a trigger of type event', { type: 'event' as const }],
      ['applies to discoveries', { event: 'discovery_finished' as const }],
      ['not to ANY', { resource: 'ANY' as const }],
    ])('reject inconsistent definitions: %s', async (text, more) => {
      await expect(
        parts.triggers.create(
          { name: 't', resource: 'jobs', ignoreTrigger: false, actionsUuids: [newUuid()], ...more },
          inTriggers,
        ),
      ).rejects.toMatchObject(rejection(text));
    });

    it('are returned with all their parts', async () => {
      const condition = await parts.conditions.create(isSystem, contextOf);
      const rule = await parts.rules.create(
        { name: 'r', resource: 'jobs', conditionsUuids: [condition.uuid] },
        contextOf,
      );
      const made = await trigger('t', { type: 'event', event: 'scheduled_job_finished', rulesUuids: [rule.uuid] });
      expect(made).toMatchObject({
        event: 'scheduled_job_finished',
        rules: [{ name: 'r', conditions: [condition] }],
        actions: [{ executions: [{ items: [{ notificationProfileName: 'by mail' }] }] }],
      });
      await expect(parts.rules.remove(rule.uuid, contextOf)).rejects.toMatchObject(
        rejection('it is used by triggers (1): t.'),
      );
    });

    it('cannot change to a different resource', async () => {
      const { uuid, actions } = await trigger('t');
      const actionsUuids = actions.map((action) => action.uuid);
      const moved = parts.triggers.update(
        uuid,
        { resource: 'approvals', ignoreTrigger: false, actionsUuids },
        inTriggers,
      );
      await expect(moved).rejects.toMatchObject(rejection('cannot be changed'));
    });

    it('cannot be deleted, and cannot be changed to a different event, while associated with an event', async () => {
      const { uuid, actions } = await trigger('t', { resource: 'certificates' });
      await parts.associations.changeEvent({ event: 'certificate_expiring', triggerUuids: [uuid] }, inSettings);
      await expect(parts.triggers.remove(uuid, inTriggers)).rejects.toMatchObject(
        rejection('certificate_expiring on the platform'),
      );
      const same = {
        resource: 'certificates',
        ignoreTrigger: false,
        actionsUuids: actions.map((each) => each.uuid),
      } as const;
      const other = parts.triggers.update(uuid, { ...same, event: 'certificate_discovered' }, inTriggers);
      await expect(other).rejects.toMatchObject(rejection('certificate_expiring'));
      await parts.triggers.update(uuid, { ...same, event: 'certificate_expiring' }, inTriggers);
      await parts.associations.changeEvent({ event: 'certificate_expiring', triggerUuids: [] }, inSettings);
      await parts.triggers.remove(uuid, inTriggers);
    });
  });

  describe('associations', () => {
    let associations: Associations;

    beforeEach(async () => {
      ({ associations } = parts);
      await platform.database.query(
        `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, $2, now(), now())`,
        [group.uuid, group.name],
      );
    });

    const ofGroup = (triggerUuids: string[]) => ({
      event: 'certificate_expiring' as const,
      resource: 'groups' as const,
      objectUuid: group.uuid,
      triggerUuids,
    });

    it("replace the event's existing associations, list ignore triggers first, and are deleted with their object", async () => {
      const first = await trigger('first', { resource: 'certificates' });
      const ignoring = await trigger('ignoring', { resource: 'certificates', ignoreTrigger: true });
      const second = await trigger('second', { resource: 'certificates' });
      await associations.associate(ofGroup([second.uuid, ignoring.uuid]), associating);
      await associations.associate(ofGroup([first.uuid, second.uuid, ignoring.uuid]), associating);
      expect(await associations.ofObject('groups', group.uuid)).toEqual({
        certificate_expiring: [ignoring.uuid, first.uuid, second.uuid],
      });
      expect(await associations.ofObject('users', group.uuid)).toEqual({});
      expect(await associations.ofPlatform()).toEqual({ eventsMapping: {} });
      await platform.database.query('DELETE FROM object_group');
      expect(await associations.ofObject('groups', group.uuid)).toEqual({});
    });

    it('are rejected for triggers of other events or resources, and for unknown objects', async () => {
      const ofJobs = await trigger('of jobs');
      const discovering = await trigger('discovering', { resource: 'certificates', event: 'certificate_discovered' });
      await expect(associations.associate(ofGroup([ofJobs.uuid, discovering.uuid]), associating)).rejects.toMatchObject(
        {
          parameters: { problems: [expect.stringContaining('applies to jobs'), expect.stringContaining(', not to')] },
        },
      );
      await expect(associations.associate(ofGroup([newUuid()]), associating)).rejects.toMatchObject({
        code: 'object_not_found',
      });
      const elsewhere = { ...ofGroup([]), resource: 'discoveries' as const };
      await expect(associations.associate(elsewhere, associating)).rejects.toMatchObject(
        rejection('raProfiles, groups'),
      );
      await platform.database.query('DELETE FROM object_group');
      const gone = associations.associate(
        ofGroup([(await trigger('t', { resource: 'certificates' })).uuid]),
        associating,
      );
      await expect(gone).rejects.toMatchObject({ code: 'object_not_found' });
    });

    it('are changed, or return not found, while their object is being removed, but never cause a deadlock', async () => {
      const [a, b] = [
        await trigger('a', { resource: 'certificates' }),
        await trigger('b', { resource: 'certificates' }),
      ];
      const outcomes = new Set<string>();
      for (let round = 0; round < 10; round += 1) {
        const objectUuid = newUuid();
        await platform.database.query(
          `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, $2, now(), now())`,
          [objectUuid, `group ${round}`],
        );
        await associations.associate({ ...ofGroup([a.uuid]), objectUuid }, associating);
        const change = associations.associate({ ...ofGroup([a.uuid, b.uuid]), objectUuid }, associating).then(
          () => 'changed',
          (error: { code: string }) => error.code,
        );
        await platform.database.query('DELETE FROM object_group WHERE uuid = $1', [objectUuid]);
        outcomes.add(await change);
        expect(await associations.ofObject('groups', objectUuid)).toEqual({});
      }
      for (const outcome of outcomes) expect(['changed', 'object_not_found']).toContain(outcome);
    });

    it('include both of two concurrent changes to different events', async () => {
      const finished = await trigger('finished');
      const closed = await trigger('closed', { resource: 'approvals' });
      await Promise.all([
        associations.changeEvent({ event: 'scheduled_job_finished', triggerUuids: [finished.uuid] }, inSettings),
        associations.changeEvent({ event: 'approval_closed', triggerUuids: [closed.uuid] }, inSettings),
      ]);
      const eventsMapping = { scheduled_job_finished: [finished.uuid], approval_closed: [closed.uuid] };
      expect(await associations.ofPlatform()).toEqual({ eventsMapping });
      await associations.replaceEvents({ eventsMapping: { approval_closed: [closed.uuid] } }, inSettings);
      expect(await associations.ofPlatform()).toEqual({ eventsMapping: { approval_closed: [closed.uuid] } });
    });

    it('match one of the two sets if two are requested concurrently', async () => {
      const made = [await trigger('a'), await trigger('b'), await trigger('c'), await trigger('d')];
      const [a = '', b = '', c = '', d = ''] = made.map(({ uuid }) => uuid);
      const change = (triggerUuids: string[]) =>
        associations.changeEvent({ event: 'scheduled_job_finished', triggerUuids }, inSettings);
      for (let round = 0; round < 5; round += 1) {
        await Promise.all([change([a, b]), change([c, d])]);
        const { eventsMapping } = await associations.ofPlatform();
        expect([
          [a, b],
          [c, d],
        ]).toContainEqual(eventsMapping.scheduled_job_finished);
      }
    });
  });

  describe('the data that the rules engine reads', () => {
    it('contains everything for an event, in order, and a revision number that increases with every change', async () => {
      await platform.database.query(
        `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1, $2, now(), now())`,
        [group.uuid, group.name],
      );
      const before = await revision();
      const condition = await parts.conditions.create(
        {
          ...isSystem,
          resource: 'certificates',
          items: [{ fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'CONTAINS', value: 'x' }],
        },
        contextOf,
      );
      const rule = await parts.rules.create(
        { name: 'r', resource: 'certificates', conditionsUuids: [condition.uuid] },
        contextOf,
      );
      const acting = await trigger('acting', { resource: 'certificates', rulesUuids: [rule.uuid] });
      const ignoring = await trigger('ignoring', { resource: 'certificates', ignoreTrigger: true });
      const event = 'certificate_expiring' as const;
      await parts.associations.changeEvent({ event, triggerUuids: [acting.uuid, ignoring.uuid] }, inSettings);
      const object = { event, resource: 'groups' as const, objectUuid: group.uuid, triggerUuids: [acting.uuid] };
      await parts.associations.associate(object, associating);

      const read = await platform.database.snapshot((tx) => readAssociations(tx, event));
      expect(read.map(({ of, trigger: { name } }) => [of?.objectUuid, name])).toEqual([
        [group.uuid, 'acting'],
        [undefined, 'ignoring'],
        [undefined, 'acting'],
      ]);
      expect(read[0]?.trigger).toBe(read[2]?.trigger);
      expect(read[0]).toMatchObject({
        triggeredBy: 'signetry',
        trigger: {
          rules: [{ name: 'r', conditions: [{ uuid: condition.uuid, items: condition.items }] }],
          actions: [{ executions: [{ type: 'sendNotification', items: [{ notificationProfileUuid: profile.uuid }] }] }],
        },
      });
      expect(await platform.database.snapshot((tx) => readAssociations(tx, 'approval_closed'))).toEqual([]);
      const after = await revision();
      expect(after).toBeGreaterThan(before);
      await expect(parts.rules.remove(rule.uuid, contextOf)).rejects.toThrow('cannot be deleted');
      expect(await revision()).toBe(after);
      await parts.conditions.update(condition.uuid, { items: condition.items }, contextOf);
      expect(await revision()).toBe(after + 1);
    });

    it('keeps the association IDs when the same set is requested again', async () => {
      const [one, two] = [await trigger('one'), await trigger('two')];
      const uuids = async () =>
        (await platform.database.snapshot((tx) => readAssociations(tx, 'scheduled_job_finished'))).map(
          ({ uuid }) => uuid,
        );
      const change = (triggerUuids: string[]) =>
        parts.associations.changeEvent({ event: 'scheduled_job_finished', triggerUuids }, inSettings);
      await change([one.uuid, two.uuid]);
      const before = await uuids();
      await change([two.uuid, one.uuid]);
      expect(await uuids()).toEqual(before.toReversed());
    });
  });

  it('create an audit record for every change, but none for rejected changes', async () => {
    const { uuid } = await parts.conditions.create(isSystem, contextOf);
    await expect(parts.conditions.create(isSystem, contextOf)).rejects.toThrow('already exists');
    const rows = await platform.database.query(
      'SELECT module, resource, operation, resource_objects FROM audit_record',
    );
    expect(rows).toEqual([
      {
        module: 'workflows',
        resource: 'conditions',
        operation: 'create',
        resource_objects: [{ uuid, name: 'of the platform' }],
      },
    ]);
  });
});
