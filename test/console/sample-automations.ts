// Rules of every kind: one that acts on discovered certificates, one that shares its conditions, one that ignores, and
// one that is disabled.
import type { Client } from '@signetry/client';
import type { ConditionItemDto, ResourceEvent } from '@signetry/contract';

export interface AutomationSamples {
  /** Has a history after the first discovery. */
  readonly discovered: string;
  /** Shares its rule with a different trigger. */
  readonly shared: string;
}

const property = 'property' as const;

/** Call before the discoveries are created, so that the rules are evaluated for their results. */
export async function createSampleAutomations(client: Client): Promise<AutomationSamples> {
  const groups = await Promise.all(
    ['Legacy', 'Platform engineering'].map((name) => client.groups.createGroup({ body: { name } })),
  );
  const [legacy, platform] = groups.map(({ uuid }) => ({ uuid }));
  const { uuid: notificationProfileUuid } = await client.notificationProfiles.createNotificationProfile({
    body: { name: 'Operations on duty', recipientType: 'owner', internalNotification: true },
  });
  const ruleOf = async (name: string, items: ConditionItemDto[]) => {
    const of = { name, resource: 'certificates' as const };
    const condition = await client.workflowRules.createCondition({ body: { ...of, type: 'checkField', items } });
    return (await client.workflowRules.createRule({ body: { ...of, conditionsUuids: [condition.uuid] } })).uuid;
  };
  const notify = { notificationProfileUuid };
  const actionOf = async (name: string, group: typeof legacy) => {
    const of = { name, resource: 'certificates' as const };
    const set = await client.workflowActions.createExecution({
      body: { ...of, name: `${name}: group`, type: 'setField', items: [{ fieldSource: property, fieldIdentifier: 'GROUP_NAME', data: [group] }] },
    }); // prettier-ignore
    const tell = await client.workflowActions.createExecution({
      body: { ...of, name: `${name}: message`, type: 'sendNotification', items: [notify] },
    });
    const executionsUuids = [set.uuid, tell.uuid];
    return (await client.workflowActions.createAction({ body: { ...of, executionsUuids } })).uuid;
  };
  const triggerOf = async (
    name: string,
    more: { readonly event: ResourceEvent; readonly rulesUuids?: string[]; readonly actionsUuids?: string[] },
  ) => {
    const ignoreTrigger = more.actionsUuids === undefined;
    const body = { name, resource: 'certificates' as const, type: 'event' as const, ignoreTrigger, ...more };
    return (await client.workflowTriggers.createTrigger({ body })).uuid;
  };
  const hosts = await ruleOf('Discovered hosts', [
    { fieldSource: property, fieldIdentifier: 'COMMON_NAME', operator: 'STARTS_WITH', value: 'host1' },
    { fieldSource: property, fieldIdentifier: 'OWNER', operator: 'EMPTY' },
  ]);
  const discovered = await triggerOf('Assign unowned hosts to Legacy', {
    event: 'certificate_discovered',
    rulesUuids: [hosts],
    actionsUuids: [await actionOf('Assign to Legacy', legacy)],
  });
  const shared = await triggerOf('Notify before unowned hosts expire', {
    event: 'certificate_expiring',
    rulesUuids: [
      hosts,
      await ruleOf('Within a month', [
        { fieldSource: property, fieldIdentifier: 'NOT_AFTER', operator: 'IN_NEXT', value: 'P30D' },
      ]),
    ],
    actionsUuids: [await actionOf('Assign to Platform engineering', platform)],
  });
  const ignoring = await triggerOf('Exclude test systems', {
    event: 'certificate_discovered',
    rulesUuids: [
      await ruleOf('Test systems', [
        { fieldSource: property, fieldIdentifier: 'COMMON_NAME', operator: 'ENDS_WITH', value: ['.test', '.invalid'] },
      ]),
    ],
  });
  await client.eventSettings.updateEventSettings({
    body: { event: 'certificate_discovered', triggerUuids: [ignoring, discovered] },
  });
  const [profile] = await client.raProfiles.listRaProfiles();
  await client.workflowTriggers.associateEventTriggers({
    body: { event: 'certificate_expiring', resource: 'raProfiles', objectUuid: profile?.uuid ?? '', triggerUuids: [shared] },
  }); // prettier-ignore
  await triggerOf('Draft for later', { event: 'certificate_not_compliant', rulesUuids: [hosts] });
  return { discovered, shared };
}
