// A node is killed between two steps of its triggers; another node continues. Every step is carried out once.
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { issue } from './testing/certificates.ts';
import { createSharedDatabase } from './testing/shared-database.ts';
import { defaultProfile } from './testing/profiles.ts';
import { startProgram, temporaryFolder, type StartedProgram } from './testing/program.ts';
import { makeRequest } from './testing/requests.ts';

/** Starting two nodes. */
const TIMEOUT_MS = 180_000;
const CERTIFICATES = 6;

const nodes = createSharedDatabase();
const folder = temporaryFolder();

/** Declares a trigger that adds issued certificates to a group and then sets a different owner. */
async function declareTrigger({ client }: StartedProgram): Promise<string> {
  const of = { resource: 'certificates' } as const;
  const { uuid: groupUuid } = await client.groups.createGroup({ body: { name: 'marked' } });
  const { uuid: ownerUuid } = await client.users.createUser({ body: { username: 'keeper', enabled: true } });
  const steps = [
    { fieldIdentifier: 'GROUP_NAME', data: [groupUuid] },
    { fieldIdentifier: 'OWNER', data: ownerUuid },
  ];
  const executionsUuids: string[] = [];
  for (const step of steps) {
    const items = [{ fieldSource: 'property' as const, ...step }];
    const body = { ...of, name: step.fieldIdentifier, type: 'setField' as const, items };
    executionsUuids.push((await client.workflowActions.createExecution({ body })).uuid);
  }
  const action = await client.workflowActions.createAction({ body: { ...of, name: 'mark', executionsUuids } });
  const event = 'certificate_action_performed';
  const trigger = await client.workflowTriggers.createTrigger({
    body: { ...of, name: 'mark', type: 'event', event, ignoreTrigger: false, actionsUuids: [action.uuid] },
  });
  await client.eventSettings.updateEventSettings({ body: { event, triggerUuids: [trigger.uuid] } });
  return groupUuid;
}

it('a different node continues with the next step, and does not repeat any step', { timeout: TIMEOUT_MS }, async () => {
  const args = [...(await nodes.nodeArgs()), '--https=off'];
  const dying = await startProgram({
    directory: join(folder, 'dying'),
    args,
    environment: { SIGNETRY_FAULT_POINT: 'workflows.afterStep:3' },
  });
  const died = once(dying.child, 'exit');
  const groupUuid = await declareTrigger(dying);
  const path = await defaultProfile(dying.client);
  const request = await makeRequest({ subject: 'CN=killed.test' });
  const issued: string[] = [];
  // The node may die before the last certificate.
  for (let count = 0; count < CERTIFICATES; count += 1)
    await issue(dying.client, path, request).then(
      ({ uuid }) => issued.push(uuid),
      () => undefined,
    );
  expect(await died).toContain('SIGKILL');
  const [left] = await nodes.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM workflow_run WHERE state = 'waiting'`,
  );
  expect(left?.waiting).toBeGreaterThan(0);
  // Skips the dead node's lease, but not the remaining steps.
  await nodes.query(`UPDATE workflow_run SET due_at = now() WHERE state = 'waiting'`);

  const other = await startProgram({ directory: join(folder, 'other'), args });
  for (const uuid of issued)
    await expect
      .poll(() => other.client.certificates.getCertificate({ params: { uuid } }), { timeout: 30_000 })
      .toMatchObject({ groups: [{ uuid: groupUuid }], owner: 'keeper' });
  const changes = await nodes.query<{ event: string; count: number }>(
    `SELECT event, count(*)::int AS count FROM certificate_history
     WHERE event IN ('Update Group', 'Update Owner') AND certificate_uuid = ANY ($1::uuid[]) GROUP BY event ORDER BY event`,
    [issued],
  );
  expect(changes).toEqual([
    { event: 'Update Group', count: issued.length },
    { event: 'Update Owner', count: issued.length },
  ]);
});
