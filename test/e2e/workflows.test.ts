// Triggers on a running platform: an event on a certificate runs the declared actions once, with the permissions of the
// user who associated the trigger, and the result can be viewed afterwards.
import type { Client } from '@signetry/client';
import type { ResourceEvent, WorkflowEvaluationDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { limitedUser } from './testing/limited-user.ts';
import { storeAttributes, KEY_STORE_KIND, startDiscoveryProvider } from '../load/discovery-provider.ts';
import { issue } from './testing/certificates.ts';
import { discover, registerProvider, resultMaker, waitForEnd } from './testing/discoveries.ts';
import { defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer({
  args: ['--egress-allowed-hosts', '127.0.0.1', '--discovery-networks', '127.0.0.0/8'],
});
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});

const nameOf = (what: string) => `${what} ${randomUUID()}`;

const group = async () => (await client.groups.createGroup({ body: { name: nameOf('group') } })).uuid;

interface TriggerFacts {
  readonly event?: ResourceEvent;
  /** Prefix of the common names to which the trigger applies. */
  readonly commonName: string;
  readonly groupUuid: string;
  readonly by?: Client;
}

/** Declares a global trigger: "When … and the common name begins with …, then add it to the group." */
async function trigger({ event = 'certificate_action_performed', commonName, groupUuid, by = client }: TriggerFacts) {
  const of = { resource: 'certificates' } as const;
  const condition = await client.workflowRules.createCondition({
    body: {
      ...of,
      name: nameOf('begins'),
      type: 'checkField',
      items: [
        { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'STARTS_WITH', value: commonName },
        { fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', operator: 'EMPTY' },
      ],
    },
  });
  const rule = await client.workflowRules.createRule({
    body: { ...of, name: nameOf('rule'), conditionsUuids: [condition.uuid] },
  });
  const execution = await client.workflowActions.createExecution({
    body: {
      ...of,
      name: nameOf('group'),
      type: 'setField',
      items: [{ fieldSource: 'property', fieldIdentifier: 'GROUP_NAME', data: [groupUuid] }],
    },
  });
  const action = await client.workflowActions.createAction({
    body: { ...of, name: nameOf('action'), executionsUuids: [execution.uuid] },
  });
  const made = await client.workflowTriggers.createTrigger({
    body: {
      ...of,
      name: nameOf('trigger'),
      type: 'event',
      event,
      ignoreTrigger: false,
      rulesUuids: [rule.uuid],
      actionsUuids: [action.uuid],
    },
  });
  await by.eventSettings.updateEventSettings({ body: { event, triggerUuids: [made.uuid] } });
  return made;
}

const evaluationsOf = async (objectUuid: string): Promise<WorkflowEvaluationDto[]> =>
  (await client.workflowEvaluations.listWorkflowEvaluations({ query: { objectUuid } })).evaluations;

/** Waits until all steps have finished. */
const waitUntilSettled = (objectUuid: string, count = 1) =>
  vi.waitFor(
    async () => {
      const evaluations = await evaluationsOf(objectUuid);
      expect(evaluations.length).toBeGreaterThanOrEqual(count);
      for (const { triggers } of evaluations)
        for (const { steps } of triggers) for (const step of steps) expect(step.state).not.toBe('waiting');
      return evaluations;
    },
    { timeout: 15_000, interval: 100 },
  );

const issueCertificate = async (commonName: string): Promise<string> =>
  (await issue(client, path, await makeRequest({ subject: `CN=${commonName}` }))).uuid;
const groupsOf = async (uuid: string) =>
  ((await client.certificates.getCertificate({ params: { uuid } })).groups ?? []).map((each) => each.uuid);

describe('a trigger', () => {
  it('acts on objects that match its conditions, and explains why it skipped the others', async () => {
    const groupUuid = await group();
    const { uuid: triggerUuid, name } = await trigger({ commonName: 'shop-', groupUuid });
    const [fits, other] = [await issueCertificate('shop-1.test'), await issueCertificate('desk-1.test')];

    const [ofFitting] = await waitUntilSettled(fits);
    const [ofOther] = await waitUntilSettled(other);
    expect(await groupsOf(fits)).toEqual([groupUuid]);
    expect(await groupsOf(other)).toEqual([]);
    expect(ofFitting).toMatchObject({
      event: 'certificate_action_performed',
      objectName: 'shop-1.test',
      triggers: [
        {
          trigger: { uuid: triggerUuid, name },
          outcome: 'matched',
          conditions: [
            { actual: 'shop-1.test', outcome: 'holds' },
            { actual: [], outcome: 'holds' },
          ],
          steps: [{ type: 'setField', state: 'done' }],
        },
      ],
    });
    expect(ofOther?.triggers[0]).toMatchObject({
      outcome: 'notMatched',
      conditions: [{ actual: 'desk-1.test', outcome: 'fails' }, { outcome: 'notReached' }],
      steps: [],
    });
    const detail = await client.workflowEvaluations.getWorkflowEvaluation({
      params: { evaluationUuid: ofFitting?.uuid ?? '' },
    });
    expect(detail.data).toMatchObject({ certificateUuid: fits, action: 'issue', subjectDn: 'CN=shop-1.test' });
  });

  it('acts with the permissions of the user who associated it', async () => {
    const groupUuid = await group();
    const powerless = await limitedUser(server, [
      ['triggers', 'detail'],
      ['triggers', 'update'],
      ['settings', 'update'],
    ]);
    await trigger({ commonName: 'weak-', groupUuid, by: powerless });
    const uuid = await issueCertificate('weak-1.test');

    const [evaluation] = await waitUntilSettled(uuid);
    expect(await groupsOf(uuid)).toEqual([]);
    expect(evaluation?.triggers[0]?.steps).toEqual([
      expect.objectContaining({ state: 'refused', problem: expect.stringMatching(/\w/) }),
    ]);
  });

  it('returns its history for each object with which it is associated', async () => {
    const groupUuid = await group();
    const made = await trigger({ commonName: 'ours-', groupUuid });
    await client.eventSettings.updateEventSettings({
      body: { event: 'certificate_action_performed', triggerUuids: [] },
    });
    await client.workflowTriggers.associateEventTriggers({
      body: {
        event: 'certificate_action_performed',
        resource: 'raProfiles',
        objectUuid: path.raProfileUuid,
        triggerUuids: [made.uuid],
      },
    });
    const uuid = await issueCertificate('ours-1.test');
    await waitUntilSettled(uuid);
    const params = { triggerUuid: made.uuid, associationObjectUuid: path.raProfileUuid };
    expect(await client.triggerHistory.getTriggerHistory({ params })).toEqual([
      expect.objectContaining({ objectUuid: uuid, conditionsMatched: true, actionsPerformed: true, records: [] }),
    ]);
    expect(
      await client.triggerHistory.getTriggerHistorySummary({ params: { associationObjectUuid: path.raProfileUuid } }),
    ).toMatchObject({ associationResource: 'raProfiles', objectsEvaluated: 1, objectsMatched: 1, objectsIgnored: 0 });
    await client.workflowTriggers.associateEventTriggers({
      body: {
        event: 'certificate_action_performed',
        resource: 'raProfiles',
        objectUuid: path.raProfileUuid,
        triggerUuids: [],
      },
    });
  });
});

describe('a trigger that ignores objects', () => {
  it('keeps discovered certificates out of the inventory, and reports this', async () => {
    const provider = await startDiscoveryProvider();
    try {
      const connectorUuid = await registerProvider(client, provider);
      const ignoring = await client.workflowTriggers.createTrigger({
        body: { name: nameOf('ignore'), resource: 'certificates', ignoreTrigger: true },
      });
      provider.shelves.set('left', { results: (await resultMaker())(3) });
      const name = nameOf('left out');
      const { uuid } = await client.discoveries.createDiscovery({
        body: {
          name,
          connectorUuid,
          kind: KEY_STORE_KIND,
          attributes: storeAttributes('left'),
          triggers: [ignoring.uuid],
        },
      });
      const progress = await waitForEnd(client, uuid);
      expect(progress).toMatchObject({ found: 3 });
      const { certificates } = await client.discoveries.getDiscoveryCertificates({
        params: { uuid },
        query: { itemsPerPage: 10, pageNumber: 1 },
      });
      expect(certificates.map(({ inventoryUuid }) => inventoryUuid)).toEqual([undefined, undefined, undefined]);
      const summary = await client.triggerHistory.getTriggerHistorySummary({ params: { associationObjectUuid: uuid } });
      expect(summary).toMatchObject({ objectsEvaluated: 3, objectsMatched: 3, objectsIgnored: 3 });
      expect(summary.objects.map(({ referenceObjectUuid }) => referenceObjectUuid).toSorted()).toEqual(
        certificates.map((each) => each.uuid).toSorted(),
      );
      // The same discovery without an ignoring trigger: the certificates are new now, and are imported.
      const next = await discover(client, { name: nameOf('taken in'), connectorUuid, shelf: 'left' });
      expect(next).toMatchObject({ found: 3, newlyDiscovered: 3 });
    } finally {
      await provider.stop();
    }
  });
});

describe('a dry run', () => {
  it('shows which objects would match and which actions would run, and changes nothing', async () => {
    const groupUuid = await group();
    const made = await trigger({ commonName: 'later-', groupUuid });
    await client.eventSettings.updateEventSettings({
      body: { event: 'certificate_action_performed', triggerUuids: [] },
    });
    const [one, two] = [await issueCertificate('later-1.test'), await issueCertificate('never-1.test')];
    const body = { resource: 'certificates' as const, objectUuids: [one, two] };
    const trial = await client.workflowTrials.tryWorkflow({ body: { ...body, triggerUuid: made.uuid } });
    expect(trial).toMatchObject({
      evaluated: 2,
      matched: 1,
      objects: [
        { uuid: one, matched: true },
        { uuid: two, matched: false, conditions: [{ actual: 'never-1.test', outcome: 'fails' }, {}] },
      ],
      steps: [{ type: 'setField' }],
    });
    expect(await groupsOf(one)).toEqual([]);
    // The event is logged a moment after the response.
    await vi.waitFor(async () => {
      const recent = await client.workflowTrials.tryWorkflow({
        body: {
          resource: 'certificates',
          event: 'certificate_action_performed',
          conditions: [
            { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'MATCHES', value: '^never-[0-9]' },
          ],
        },
      });
      expect(recent).toMatchObject({ matched: 1, objects: [{ uuid: two }, ...recent.objects.slice(1)] });
    }, 5_000);
  });

  it('evaluates certificates found by a saved view or filter, and reports their number', async () => {
    const made = await trigger({ commonName: 'viewed-', groupUuid: await group() });
    await client.eventSettings.updateEventSettings({
      body: { event: 'certificate_action_performed', triggerUuids: [] },
    });
    const uuids = [await issueCertificate('viewed-1.test'), await issueCertificate('viewed-2.test')];
    const filter = { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', condition: 'EQUALS' } as const;
    const view = await client.savedViews.createSavedView({
      body: {
        resource: 'certificates',
        name: nameOf('viewed'),
        isDefault: false,
        search: { filters: [{ ...filter, condition: 'STARTS_WITH', value: 'viewed-' }] },
      },
    });
    const body = { resource: 'certificates' as const, triggerUuid: made.uuid };
    const ofView = await client.workflowTrials.tryWorkflow({ body: { ...body, viewUuid: view.uuid } });
    expect(ofView).toMatchObject({ found: 2, evaluated: 2, matched: 2, isPart: false });
    expect(ofView.objects.map(({ uuid }) => uuid).toSorted()).toEqual(uuids.toSorted());
    const filters = [{ ...filter, value: 'viewed-2.test' }];
    const ofFilter = await client.workflowTrials.tryWorkflow({ body: { ...body, filters } });
    expect(ofFilter).toMatchObject({ found: 1, matched: 1, objects: [{ uuid: uuids[1] }] });
    const both = client.workflowTrials.tryWorkflow({ body: { ...body, filters, viewUuid: view.uuid } });
    await expect(both).rejects.toMatchObject({ status: 422 });
    const other = client.workflowTrials.tryWorkflow({
      body: { resource: 'keys', conditions: [], viewUuid: view.uuid },
    });
    await expect(other).rejects.toMatchObject({ status: 422 });
  });

  it('shows which steps would currently be rejected and why, with the permissions of the user who associated the trigger, and changes nothing', async () => {
    const groupUuid = await group();
    const made = await trigger({ commonName: 'refused-', groupUuid });
    const one = await issueCertificate('not-refused-yet.test');
    const body = { resource: 'certificates' as const, triggerUuid: made.uuid, conditions: undefined };
    const uuid = await issueCertificate('other.test');
    // Otherwise the trigger could run for the issuance after the name has changed.
    await waitUntilSettled(uuid);
    await server.running.platform.database.query(
      `UPDATE certificate SET common_name = 'refused-1.test' WHERE uuid = $1`,
      [uuid],
    );
    const runTrial = () => client.workflowTrials.tryWorkflow({ body: { ...body, objectUuids: [uuid, one] } });
    expect(await runTrial()).toMatchObject({ triedAs: ['admin'], objects: [{ uuid, refusals: [] }, { uuid: one }] });
    expect(await groupsOf(uuid)).toEqual([]);
    const histories = await client.certificates.getCertificateEventHistory({ params: { uuid } });
    await server.running.platform.database.query('DELETE FROM object_group WHERE uuid = $1', [groupUuid]);
    const [refused] = (await runTrial()).objects;
    expect(refused?.refusals).toMatchObject([
      { step: 0, triggeredBy: 'admin', problem: expect.stringContaining(groupUuid) },
    ]);
    expect(await client.certificates.getCertificateEventHistory({ params: { uuid } })).toEqual(histories);
  });

  it('rejects invalid patterns and unknown fields', async () => {
    const item = { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'MATCHES' } as const;
    const tryWith = (more: object) =>
      client.workflowTrials.tryWorkflow({ body: { resource: 'certificates', conditions: [{ ...item, ...more }] } });
    await expect(tryWith({ value: '(' })).rejects.toMatchObject({ status: 422 });
    await expect(tryWith({ fieldIdentifier: 'NOTHING', value: 'a' })).rejects.toMatchObject({ status: 400 });
  });
});

describe('trigger definitions', () => {
  it('show where they are used, and triggers also show their recent results', async () => {
    const groupUuid = await group();
    const made = await trigger({ commonName: 'used-', groupUuid });
    const findPlacedTrigger = async () =>
      (await client.workflowDefinitions.listPlacedTriggers()).find(({ uuid }) => uuid === made.uuid) ??
      expect.fail('the trigger is not listed');
    expect((await findPlacedTrigger()).activity).toEqual({ failuresOfDay: 0 });
    const [ruleUuid, actionUuid] = [made.rules[0]?.uuid, made.actions[0]?.uuid];
    const usedBy = { count: 1, named: [{ uuid: made.uuid, name: made.name }] };
    const { workflowDefinitions: definitions } = client;
    const rule = (await definitions.listRuleDetails()).find(({ uuid }) => uuid === ruleUuid);
    const action = (await definitions.listActionDetails()).find(({ uuid }) => uuid === actionUuid);
    expect([rule?.usedBy, action?.usedBy]).toEqual([usedBy, usedBy]);
    const condition = (await definitions.listUsedConditions()).find(({ uuid }) => uuid === rule?.conditions[0]?.uuid);
    const execution = (await definitions.listUsedExecutions()).find(({ uuid }) => uuid === action?.executions[0]?.uuid);
    expect(condition?.usedBy).toEqual({ count: 1, named: [{ uuid: rule?.uuid, name: rule?.name }] });
    expect(execution?.usedBy).toEqual({ count: 1, named: [{ uuid: action?.uuid, name: action?.name }] });

    await waitUntilSettled(await issueCertificate('used-1.test'));
    const { activity } = await findPlacedTrigger();
    expect(activity).toMatchObject({ failuresOfDay: 0, lastMatchedAt: expect.any(String) });
    const unseen = await limitedUser(server, [
      ['rules', 'list'],
      ['rules', 'detail'],
    ]);
    const counted = (await unseen.workflowDefinitions.listRuleDetails()).find(({ uuid }) => uuid === ruleUuid);
    expect(counted?.usedBy).toEqual({ count: 1, named: [] });
    await server.running.platform.database.query('DELETE FROM object_group WHERE uuid = $1', [groupUuid]);
    await waitUntilSettled(await issueCertificate('used-2.test'));
    const after = (await findPlacedTrigger()).activity;
    expect(after.failuresOfDay).toBe(1);
    expect(Date.parse(after.lastEvaluatedAt ?? '')).toBeGreaterThan(Date.parse(activity.lastEvaluatedAt ?? ''));
  });
});
