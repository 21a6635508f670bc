// Triggers that form loops, and triggers with deleted parts: bounded, and explained in the history.
import type { Client } from '@signetry/client';
import type { ResourceEvent, WorkflowStepDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issue } from './testing/certificates.ts';
import { createAuthority, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer();
const soon = { timeout: 20_000, interval: 100 };
/** Maximum number of times a trigger can act on an object within an hour. */
const MAX_RUNS = 10;
let client: Client;
let path: IssuingPath;

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
});
afterEach(async () => {
  for (const event of ['certificate_action_performed', 'certificate_status_changed'] as const)
    await client.eventSettings.updateEventSettings({ body: { event, triggerUuids: [] } });
});

/** Events inserted directly into the database do not wake the platform. */
let waking: NodeJS.Timeout;
beforeAll(() => {
  waking = setInterval(() => server.running.platform.events.wake(), 50);
});
afterAll(() => clearInterval(waking));

const query = <Row extends object>(text: string, values: readonly unknown[] = []) =>
  server.running.platform.database.query<Row>(text, values);
const of = { resource: 'certificates' } as const;
const nameOf = (what: string) => `${what} ${randomUUID()}`;
const group = async () => (await client.groups.createGroup({ body: { name: nameOf('group') } })).uuid;
const issueCertificate = async () =>
  (await issue(client, path, await makeRequest({ subject: `CN=${randomUUID()}.test` }))).uuid;
const groupsOf = async (uuid: string) =>
  ((await client.certificates.getCertificate({ params: { uuid } })).groups ?? []).map((each) => each.uuid);

type Execution = Parameters<Client['workflowActions']['createExecution']>[0]['body'];

const setField = (fieldIdentifier: string, data: unknown): Partial<Execution> => ({
  type: 'setField',
  items: [{ fieldSource: 'property', fieldIdentifier, data }],
});

/** Declares a global trigger: "When this happens to a certificate, run these executions in order." */
async function trigger(event: ResourceEvent, executions: readonly Partial<Execution>[]): Promise<string> {
  const executionsUuids: string[] = [];
  for (const execution of executions) {
    const body = { ...of, name: nameOf('step'), ...execution } as Execution;
    executionsUuids.push((await client.workflowActions.createExecution({ body })).uuid);
  }
  const action = await client.workflowActions.createAction({ body: { ...of, name: nameOf('do'), executionsUuids } });
  const body = { ...of, name: nameOf('when'), type: 'event', event, ignoreTrigger: false } as const;
  const made = await client.workflowTriggers.createTrigger({ body: { ...body, actionsUuids: [action.uuid] } });
  await client.eventSettings.updateEventSettings({ body: { event, triggerUuids: [made.uuid] } });
  return made.uuid;
}

/** Returns steps by evaluation, oldest first, once none are waiting. */
const stepsOf = async (objectUuid: string, count: number): Promise<readonly (readonly WorkflowStepDto[])[]> => {
  const read = async () => {
    const page = { objectUuid, itemsPerPage: 1000 };
    const { evaluations } = await client.workflowEvaluations.listWorkflowEvaluations({ query: page });
    return evaluations.toReversed().flatMap(({ triggers }) => triggers.map(({ steps }) => steps));
  };
  const states = async () => {
    const steps = await read();
    return steps.length >= count && steps.flat().every(({ state }) => state !== 'waiting');
  };
  await expect.poll(states, soon).toBe(true);
  return read();
};

const rejectedSteps = (steps: readonly (readonly WorkflowStepDto[])[]) =>
  steps.filter((each) => each.some(({ state }) => state === 'refused'));

/** From now on, adding a certificate to a group raises the event specified for that group. */
async function raiseWithGroups(events: Readonly<Record<string, ResourceEvent>>): Promise<void> {
  const cases = Object.entries(events).map(([groupUuid, event]) => `WHEN '${groupUuid}' THEN '${event}'`);
  await query(`CREATE OR REPLACE FUNCTION raise_with_groups() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE raised text := CASE NEW.group_uuid::text ${cases.join(' ')} END;
    BEGIN
      IF raised IS NOT NULL THEN
        INSERT INTO event_outbox (event, payload) VALUES (raised, jsonb_build_object('certificateUuid', NEW.object_uuid,
          'action', 'issue', 'from', 'not_checked', 'to', 'valid'));
      END IF;
      RETURN NULL;
    END $$`);
  await query(`CREATE OR REPLACE TRIGGER raise_with_groups AFTER INSERT ON group_membership
    FOR EACH ROW EXECUTE FUNCTION raise_with_groups()`);
}

describe('triggers that cause the events they listen to', () => {
  it('stop after ten runs per object, and the history explains why', async () => {
    const [one, two] = [await group(), await group()];
    await trigger('certificate_action_performed', [setField('GROUP_NAME', [one]), setField('GROUP_NAME', [two])]);
    await raiseWithGroups({ [one]: 'certificate_action_performed' });
    const uuid = await issueCertificate();
    const steps = await stepsOf(uuid, MAX_RUNS + 1);
    expect(steps).toHaveLength(MAX_RUNS + 1);
    expect(
      steps
        .slice(0, MAX_RUNS)
        .flat()
        .map(({ state }) => state),
    ).toEqual(Array(2 * MAX_RUNS).fill('done'));
    expect(steps.at(-1)).toEqual([
      expect.objectContaining({ state: 'refused', problem: expect.stringContaining('10 times within an hour') }),
      expect.objectContaining({
        state: 'refused',
        problem: expect.stringContaining('probably cause the event that it responds to'),
      }),
    ]);
    // A different object is not part of the loop.
    const other = await stepsOf(await issueCertificate(), 1);
    expect(other[0]?.map(({ state }) => state)).toEqual(['done', 'done']);
  });

  it("also stop if two triggers cause each other's events", async () => {
    const [one, two] = [await group(), await group()];
    await trigger('certificate_action_performed', [setField('GROUP_NAME', [one])]);
    await trigger('certificate_status_changed', [setField('GROUP_NAME', [two])]);
    await raiseWithGroups({ [one]: 'certificate_status_changed', [two]: 'certificate_action_performed' });
    const uuid = await issueCertificate();
    const steps = await stepsOf(uuid, 2 * MAX_RUNS + 1);
    expect(steps).toHaveLength(2 * MAX_RUNS + 1);
    expect(rejectedSteps(steps)).toEqual([steps.at(-1)]);
  });

  it('run ten times even if all events arrive simultaneously', async () => {
    const groupUuid = await group();
    await trigger('certificate_action_performed', [setField('GROUP_NAME', [groupUuid])]);
    const uuid = await issueCertificate();
    await query(
      `INSERT INTO event_outbox (event, payload)
       SELECT 'certificate_action_performed', jsonb_build_object('certificateUuid', $1::text, 'action', 'renew')
       FROM generate_series(1, 25)`,
      [uuid],
    );
    // The first evaluation is that of the issuance.
    const steps = await stepsOf(uuid, 1 + 25);
    expect(rejectedSteps(steps)).toHaveLength(1 + 25 - MAX_RUNS);
    expect(await groupsOf(uuid)).toEqual([groupUuid]);
  });
});

describe('a trigger with a deleted part', () => {
  const declareTwoSteps = async (first: Partial<Execution>) => {
    const kept = await group();
    await trigger('certificate_action_performed', [first, setField('GROUP_NAME', [kept])]);
    return kept;
  };
  const expectRejected = async (kept: string, words: RegExp) => {
    const uuid = await issueCertificate();
    const [steps] = await stepsOf(uuid, 1);
    expect(steps).toEqual([
      expect.objectContaining({ state: 'refused', problem: expect.stringMatching(words) }),
      expect.objectContaining({ state: 'done' }),
    ]);
    // The remaining steps are carried out.
    expect(await groupsOf(uuid)).toEqual([kept]);
  };

  it('reports a missing group and continues', async () => {
    const gone = await group();
    const kept = await declareTwoSteps(setField('GROUP_NAME', [gone]));
    await client.groups.deleteGroup({ params: { uuid: gone } });
    await expectRejected(kept, new RegExp(`group.*${gone}`, 'i'));
  });

  it('reports a missing owner and continues', async () => {
    const { uuid: gone } = await client.users.createUser({ body: { username: nameOf('gone'), enabled: true } });
    const kept = await declareTwoSteps(setField('OWNER', gone));
    await client.users.deleteUser({ params: { userUuid: gone } });
    await expectRejected(kept, new RegExp(`user.*${gone}`, 'i'));
  });

  it('reports a missing RA profile and continues', async () => {
    const gone = await createAuthority(client, { name: nameOf('Gone').slice(0, 20) });
    const kept = await declareTwoSteps(setField('RA_PROFILE_NAME', gone.raProfileUuid));
    await client.raProfiles.deleteRaProfile({ params: gone });
    await expectRejected(kept, new RegExp(`RA profile.*${gone.raProfileUuid}`, 'i'));
  });

  it('reports a missing attribute and continues', async () => {
    const { name, uuid } = await attribute();
    const kept = await declareTwoSteps({
      type: 'setField',
      items: [{ fieldSource: 'custom', fieldIdentifier: `${name}|STRING`, data: [{ data: 'a' }] }],
    });
    await client.customAttributes.deleteCustomAttribute({ params: { uuid } });
    await expectRejected(kept, new RegExp(name));
  });

  it('reports a missing notification profile and continues', async () => {
    const { uuid: userUuid } = await client.auth.getUserProfile();
    const { uuid: gone } = await client.notificationProfiles.createNotificationProfile({
      body: { name: nameOf('gone'), recipientType: 'user', recipientUuids: [userUuid], internalNotification: true },
    });
    const kept = await declareTwoSteps({ type: 'sendNotification', items: [{ notificationProfileUuid: gone }] });
    const refusal = client.notificationProfiles.deleteNotificationProfile({ params: { uuid: gone } });
    await expect(refusal).rejects.toMatchObject({ status: 422 });
    // As if it had been deleted during the evaluation of the trigger.
    await query('DELETE FROM notification_profile WHERE uuid = $1', [gone]);
    await expectRejected(kept, /notification profile/i);
  });

  it('whose condition compares a deleted attribute treats the attribute as empty, as a search does', async () => {
    const { name, uuid: attributeUuid } = await attribute();
    const condition = await client.workflowRules.createCondition({
      body: {
        ...of,
        name: nameOf('compares'),
        type: 'checkField',
        items: [{ fieldSource: 'custom', fieldIdentifier: `${name}|STRING`, operator: 'NOT_EMPTY' }],
      },
    });
    const rule = await client.workflowRules.createRule({
      body: { ...of, name: nameOf('rule'), conditionsUuids: [condition.uuid] },
    });
    const groupUuid = await group();
    const uuid = await trigger('certificate_action_performed', [setField('GROUP_NAME', [groupUuid])]);
    const detail = await client.workflowTriggers.getTrigger({ params: { triggerUuid: uuid } });
    await client.workflowTriggers.updateTrigger({
      params: { triggerUuid: uuid },
      body: {
        ...of,
        type: 'event',
        event: 'certificate_action_performed',
        ignoreTrigger: false,
        rulesUuids: [rule.uuid],
        actionsUuids: (detail.actions ?? []).map((each) => each.uuid),
      },
    });
    await client.customAttributes.deleteCustomAttribute({ params: { uuid: attributeUuid } });
    const certificate = await issueCertificate();
    await stepsOf(certificate, 1);
    const { evaluations } = await client.workflowEvaluations.listWorkflowEvaluations({
      query: { objectUuid: certificate },
    });
    expect(evaluations[0]?.triggers).toMatchObject([
      { outcome: 'notMatched', conditions: [{ fieldIdentifier: `${name}|STRING`, outcome: 'fails' }] },
    ]);
    expect(await groupsOf(certificate)).toEqual([]);
  });
});

async function attribute() {
  const name = `attribute_${randomUUID()}`;
  const { uuid } = await client.customAttributes.createCustomAttribute({
    body: { name, label: name, contentType: 'string', resources: ['certificates'] },
  });
  await client.customAttributes.enableCustomAttribute({ params: { uuid } });
  return { name, uuid };
}
