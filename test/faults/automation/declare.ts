// Declares the automation: issued, revoked and discovered certificates get a group and an owner, and a webhook and a
// user are notified.
import type { Client } from '@signetry/client';
import type { RequestAttributeDto, ResourceEvent } from '@signetry/contract';

export interface Declared {
  readonly groupUuid: string;
  readonly ownerUuid: string;
  readonly profileUuid: string;
}

/** Steps of a run; the last one sends the notifications. */
export const STEPS = 3;
const EVENTS = ['certificate_action_performed', 'certificate_discovered'] as const;
const of = { resource: 'certificates' } as const;

/** Creates an instance of the built-in webhook connector, and a profile that notifies it and the caller. */
export async function declareMessages(client: Client, webhookUrl: string): Promise<string> {
  const connectors = await client.connectors.listConnectors();
  const connector = connectors.find(({ functionGroups }) =>
    functionGroups.some(({ kinds }) => kinds.includes('WEBHOOK')),
  );
  if (!connector) throw new Error('Webhook connector not found.');
  const params = { uuid: connector.uuid, functionGroup: 'notificationProvider', kind: 'WEBHOOK' } as const;
  const form = await client.connectors.getConnectorAttributes({ params });
  const attributes = Object.entries({ data_url: webhookUrl, data_bodyForm: 'json' }).map(([name, data]) => {
    const uuid = form.find((each) => each.name === name)?.uuid ?? '';
    return { uuid, name, contentType: 'string', content: [{ data }] } as RequestAttributeDto; // As sent by forms.
  });
  const { uuid: notificationInstanceUuid } = await client.notificationInstances.createNotificationInstance({
    body: { name: 'outside', connectorUuid: connector.uuid, kind: 'WEBHOOK', attributes },
  });
  const { uuid: userUuid } = await client.auth.getUserProfile();
  const profile = {
    name: 'trigger owner',
    recipientType: 'user' as const,
    recipientUuids: [userUuid],
    internalNotification: true,
    notificationInstanceUuid,
  };
  return (await client.notificationProfiles.createNotificationProfile({ body: profile })).uuid;
}

/** Creates triggers for certificates with this common name prefix, and for all discovered certificates. */
export async function declareAutomation(
  client: Client,
  { webhookUrl, commonName }: { readonly webhookUrl: string; readonly commonName: string },
): Promise<Declared> {
  const { uuid: groupUuid } = await client.groups.createGroup({ body: { name: 'automated' } });
  const { uuid: ownerUuid } = await client.users.createUser({ body: { username: 'keeper', enabled: true } });
  const profileUuid = await declareMessages(client, webhookUrl);
  const set = (fieldIdentifier: string, data: unknown) => ({
    type: 'setField' as const,
    items: [{ fieldSource: 'property' as const, fieldIdentifier, data }],
  });
  const steps = [
    set('GROUP_NAME', [groupUuid]),
    set('OWNER', ownerUuid),
    { type: 'sendNotification' as const, items: [{ notificationProfileUuid: profileUuid }] },
  ];
  const executionsUuids: string[] = [];
  for (const [index, step] of steps.entries()) {
    const body = { ...of, name: `step ${index}`, ...step };
    executionsUuids.push((await client.workflowActions.createExecution({ body })).uuid);
  }
  const action = await client.workflowActions.createAction({
    body: { ...of, name: 'notify and assign', executionsUuids },
  });
  const ruleUuid = await declareRule(client, commonName);
  for (const event of EVENTS)
    await listen(client, { event, actionUuid: action.uuid, ruleUuid: event === EVENTS[0] ? ruleUuid : undefined });
  return { groupUuid, ownerUuid, profileUuid };
}

async function declareRule(client: Client, value: string): Promise<string> {
  const item = { fieldSource: 'property', fieldIdentifier: 'COMMON_NAME', operator: 'STARTS_WITH', value } as const;
  const condition = await client.workflowRules.createCondition({
    body: { ...of, name: 'ours', type: 'checkField', items: [item] },
  });
  const rule = { ...of, name: 'ours', conditionsUuids: [condition.uuid] };
  return (await client.workflowRules.createRule({ body: rule })).uuid;
}

async function listen(
  client: Client,
  facts: { readonly event: ResourceEvent; readonly actionUuid: string; readonly ruleUuid: string | undefined },
): Promise<void> {
  const { event, actionUuid, ruleUuid } = facts;
  const trigger = await client.workflowTriggers.createTrigger({
    body: {
      ...of,
      name: event,
      type: 'event',
      event,
      ignoreTrigger: false,
      actionsUuids: [actionUuid],
      ...(ruleUuid === undefined ? {} : { rulesUuids: [ruleUuid] }),
    },
  });
  await client.eventSettings.updateEventSettings({ body: { event, triggerUuids: [trigger.uuid] } });
}
