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

/** Jobs: their conditions need nothing of the areas of objects. */
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
    it('are kept as they were sent, but that values which are objects become their names', async () => {
      const item = { fieldSource: 'property', fieldIdentifier: 'SCHEDULED_JOB_NAME', operator: 'EQUALS' } as const;
      const kept = await parts.conditions.create(
        { ...isSystem, items: [{ ...item, value: [{ uuid: newUuid(), name: 'nightly' }, 'weekly'] }] },
        contextOf,
      );
      expect(kept.items).toEqual([{ ...item, value: ['nightly', 'weekly'] }]);
      expect(await parts.conditions.detail(kept.uuid)).toEqual(kept);
    });

    it('compare with fields that there are, by operators that these have', async () => {
      const unknown = { ...isSystem.items[0], fieldIdentifier: 'COLOUR' } as (typeof isSystem.items)[number];
      await expect(parts.conditions.create({ ...isSystem, items: [unknown] }, contextOf)).rejects.toMatchObject({
        code: 'invalid_fields',
        message: expect.stringContaining('COLOUR'),
      });
      expect(conditionsByType.boolean).not.toContain('GREATER');
      const wrong = { ...isSystem.items[0], operator: 'GREATER' } as (typeof isSystem.items)[number];
      await expect(parts.conditions.create({ ...isSystem, items: [wrong] }, contextOf)).rejects.toThrow('GREATER');
    });

    it.each(['ANY', 'NONE', 'users'] as const)('are not about %s', async (resource) => {
      const refused = parts.conditions.create({ ...isSystem, resource }, contextOf);
      await expect(refused).rejects.toMatchObject(rejection(`not about ${resource}`));
    });

    it('have items, and a name of their own', async () => {
      await expect(parts.conditions.create({ ...isSystem, items: [] }, contextOf)).rejects.toMatchObject(
        rejection('at least one'),
      );
      await parts.conditions.create(isSystem, contextOf);
      await expect(parts.conditions.create(isSystem, contextOf)).rejects.toMatchObject({ code: 'already_exists' });
    });
  });

  describe('rules', () => {
    it('have their conditions in the order that was asked for, once each', async () => {
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

    it('take conditions of their own resource; those about ANY take all', async () => {
      const jobs = await parts.conditions.create(isSystem, contextOf);
      const ofApprovals = { name: 'r', resource: 'approvals' as const, conditionsUuids: [jobs.uuid] };
      await expect(parts.rules.create(ofApprovals, contextOf)).rejects.toMatchObject(
        rejection('Condition of the platform is about jobs, not about approvals'),
      );
      await expect(parts.rules.create({ ...ofApprovals, resource: 'ANY' }, contextOf)).resolves.toMatchObject({
        conditions: [{ uuid: jobs.uuid }],
      });
      expect(await parts.rules.list('jobs')).toEqual([]);
      expect(await parts.rules.list('ANY')).toHaveLength(1);
    });

    it('need conditions that are there, and keep them from being deleted', async () => {
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

    it('set objects, by identifier or with one', async () => {
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
      ['takes one value', { fieldSource: 'property', fieldIdentifier: 'OWNER', data: [newUuid(), newUuid()] }],
      ['must be an identifier', { fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', data: ['operations'] }],
      ['can be set', { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', data: 'x' }],
      ['can be set', { fieldSource: 'property', fieldIdentifier: 'constructor', data: 'x' }],
      ['can be set', { fieldSource: 'meta', fieldIdentifier: 'GROUP_NAME', data: 'x' }],
      ['is not known here', { fieldSource: 'custom', fieldIdentifier: 'colour|STRING', data: 'red' }],
      ['name|CONTENTTYPE', { fieldSource: 'custom', fieldIdentifier: 'colour', data: 'red' }],
      ['secrets', { fieldSource: 'custom', fieldIdentifier: 'pin|SECRET', data: { secret: '1234' } }],
      ['are needed', { data: 'x' }],
    ])('refuse what cannot be done: %s', async (text, item) => {
      await expect(setting([item])).rejects.toMatchObject(rejection(text));
    });

    it('set what is there', async () => {
      const owner = { fieldSource: 'property', fieldIdentifier: 'OWNER', data: newUuid() };
      const missing = { code: 'object_not_found', message: expect.stringContaining(`User ${owner.data}`) };
      await expect(setting([owner])).rejects.toMatchObject(missing);
    });

    it('set a field once', async () => {
      const item = { fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', data: [] };
      await expect(setting([item, item])).rejects.toMatchObject(rejection('twice'));
    });

    it('name the notification profile, and refuse one that is not there', async () => {
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
      await expect(refused).rejects.toMatchObject(rejection('nothing happens to groups'));
    });
  });

  describe('triggers', () => {
    it.each([
      ['actionsUuids', { ignoreTrigger: false, actionsUuids: [] }],
      ['ignores', { ignoreTrigger: true, actionsUuids: [newUuid()] }],
      ['needs one', { type: 'event' as const }],
      ['about discoveries', { event: 'discovery_finished' as const }],
      ['not about ANY', { resource: 'ANY' as const }],
    ])('refuse what makes no sense: %s', async (text, more) => {
      await expect(
        parts.triggers.create(
          { name: 't', resource: 'jobs', ignoreTrigger: false, actionsUuids: [newUuid()], ...more },
          inTriggers,
        ),
      ).rejects.toMatchObject(rejection(text));
    });

    it('show everything that they consist of', async () => {
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
        rejection('triggers have it (1): t.'),
      );
    });

    it('keep their resource', async () => {
      const { uuid, actions } = await trigger('t');
      const actionsUuids = actions.map((action) => action.uuid);
      const moved = parts.triggers.update(
        uuid,
        { resource: 'approvals', ignoreTrigger: false, actionsUuids },
        inTriggers,
      );
      await expect(moved).rejects.toMatchObject(rejection('cannot be changed'));
    });

    it('stay while an event is associated with them, also when their own event is to change', async () => {
      const { uuid, actions } = await trigger('t', { resource: 'certificates' });
      await parts.associations.changeEvent({ event: 'certificate_expiring', triggerUuids: [uuid] }, inSettings);
      await expect(parts.triggers.remove(uuid, inTriggers)).rejects.toMatchObject(
        rejection('certificate_expiring of the platform'),
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

    it('replace those of the event, ignore triggers first, and go with their object', async () => {
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

    it('refuse other triggers, other resources and unknown objects', async () => {
      const ofJobs = await trigger('of jobs');
      const discovering = await trigger('discovering', { resource: 'certificates', event: 'certificate_discovered' });
      await expect(associations.associate(ofGroup([ofJobs.uuid, discovering.uuid]), associating)).rejects.toMatchObject(
        {
          parameters: { problems: [expect.stringContaining('is about jobs'), expect.stringContaining('not for')] },
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

    it('are changed while their object is removed, or not found, but never wait for it in a circle', async () => {
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

    it('lose neither of two changes at once to different events', async () => {
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

    it('end in one of two sets when both are asked for at once', async () => {
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

  describe('what the engine reads', () => {
    it('is everything of an event, in order, and a revision that grows with every change', async () => {
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

    it('names the associations as before when a set is asked for again', async () => {
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

  it('leaves a record of every change, and none of a refused one', async () => {
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
