// From an event to its recipients: triggers whose actions send mail through a real SMTP server and call a real webhook,
// for recipients of every type, including misbehaving receivers.
import type { Client } from '@signetry/client';
import type { NotificationDelivery, NotificationProfileRequestDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  respondToLines,
  startMailServer,
  startRawServer,
  type MailServer,
} from '../../packages/connectors/email-notifications/src/testing/mail-server.ts';
import { startReceiver, type Receiver } from '../../packages/connectors/webhook-notifications/src/testing/receiver.ts';
import { issue } from './testing/certificates.ts';
import { roomAttributes, nickname, NOTIFIER_KIND, startNotifier } from './testing/notifier.ts';
import { attributesOf, defaultProfile, type IssuingPath } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1,localhost'] });
const soon = { timeout: 15_000, interval: 100 };
const event = 'certificate_action_performed';
const of = { resource: 'certificates' } as const;
let client: Client;
let path: IssuingPath;
let mail: MailServer;
let hook: Receiver;
let mailInstance: string;
let hookInstance: string;
/** The webhook's response to each request. */
let answer: Parameters<typeof startReceiver>[0];

beforeAll(async () => {
  ({ client } = server);
  path = await defaultProfile(client);
  mail = await startMailServer();
  hook = await startReceiver((response, request) => answer?.(response, request));
  mailInstance = await instanceOf('EMAIL', mailTo(mail.port));
  hookInstance = await instanceOf('WEBHOOK', { data_url: hook.url, data_bodyForm: 'json', data_timeoutSeconds: 1 });
});
beforeEach(() => {
  answer = (response) => response.writeHead(204).end();
});
afterAll(async () => {
  await Promise.all([mail?.close(), hook?.close()]);
});

const query = (text: string, values: readonly unknown[] = []) =>
  server.running.platform.database.query(text, [...values]);
const nameOf = (what: string) => `${what} ${randomUUID()}`;
const mailTo = (port: number) => ({
  data_host: 'localhost',
  data_port: port,
  data_security: 'none',
  data_senderAddress: 'pki@example.com',
  data_timeoutSeconds: 2,
});

/** Creates a notification instance of a built-in connector. */
async function instanceOf(kind: string, values: Record<string, unknown>): Promise<string> {
  const connectors = await client.connectors.listConnectors();
  const connector = connectors.find(({ functionGroups }) => functionGroups.some(({ kinds }) => kinds.includes(kind)));
  const params = { uuid: connector?.uuid ?? '', functionGroup: 'notificationProvider', kind } as const;
  const attributes = attributesOf(await client.connectors.getConnectorAttributes({ params }), values);
  const body = { name: nameOf(kind), connectorUuid: params.uuid, kind, attributes };
  return (await client.notificationInstances.createNotificationInstance({ body })).uuid;
}

async function profileOf(more: Partial<NotificationProfileRequestDto>): Promise<string> {
  const body: NotificationProfileRequestDto = {
    name: nameOf('profile'),
    recipientType: 'none',
    internalNotification: false,
    ...more,
  };
  return (await client.notificationProfiles.createNotificationProfile({ body })).uuid;
}

interface TriggerFacts {
  readonly profiles: readonly string[];
  readonly ownerUuid?: string;
  readonly groupUuid?: string;
}

/**
 * Declares a global trigger: "When an action is performed on a certificate, set this owner and group, and notify
 * through these profiles."
 */
async function declareTrigger({ profiles, ownerUuid, groupUuid }: TriggerFacts): Promise<void> {
  const property = (fieldIdentifier: string, data: unknown) => ({
    type: 'setField' as const,
    items: [{ fieldSource: 'property' as const, fieldIdentifier, data }],
  });
  const steps = [
    ...(ownerUuid === undefined ? [] : [property('OWNER', ownerUuid)]),
    ...(groupUuid === undefined ? [] : [property('GROUP_NAME', [groupUuid])]),
    ...profiles.map((notificationProfileUuid) => ({
      type: 'sendNotification' as const,
      items: [{ notificationProfileUuid }],
    })),
  ];
  const executionsUuids: string[] = [];
  for (const step of steps) {
    const body = { ...of, name: nameOf('step'), ...step };
    executionsUuids.push((await client.workflowActions.createExecution({ body })).uuid);
  }
  const action = await client.workflowActions.createAction({ body: { ...of, name: nameOf('tell'), executionsUuids } });
  const body = { ...of, name: nameOf('when'), type: 'event' as const, event, ignoreTrigger: false } as const;
  const { uuid } = await client.workflowTriggers.createTrigger({ body: { ...body, actionsUuids: [action.uuid] } });
  await client.eventSettings.updateEventSettings({ body: { event, triggerUuids: [uuid] } });
}

const issueCertificate = async (name = `${randomUUID()}.test`) =>
  (await issue(client, path, await makeRequest({ subject: `CN=${name}` }))).uuid;
const deliveriesOf = async (profileUuid: string): Promise<readonly NotificationDelivery[]> =>
  (await client.notificationDeliveries.listNotificationDeliveries({ query: { profileUuid } })).deliveries;
const statesOf = async (profileUuid: string) => (await deliveriesOf(profileUuid)).map(({ state }) => state);
const problemOf = async (profileUuid: string) => (await deliveriesOf(profileUuid))[0]?.problem ?? '';
/** As if this much time had passed. */
async function simulateElapsed(profileUuid: string, time: string): Promise<void> {
  await query(
    `UPDATE notification_delivery SET next_at = now(), queued_at = queued_at - $2::interval
     WHERE profile_uuid = $1 AND state = 'waiting'`,
    [profileUuid, time],
  );
  server.running.areas.notifications.wake();
}
const user = async (name: string) => {
  const body = { username: nameOf(name), email: `${name}@example.com`, firstName: name, enabled: true };
  return (await client.users.createUser({ body })).uuid;
};

describe('a trigger', () => {
  it('notifies recipients of every type, which are determined at the time of the event', async () => {
    const [owner, named, role] = [await user('owner'), await user('named'), nameOf('role')];
    const { uuid: groupUuid } = await client.groups.createGroup({
      body: { name: nameOf('group'), email: 'group@example.com' },
    });
    const { uuid: roleUuid } = await client.roles.createRole({ body: { name: role, email: 'role@example.com' } });
    const byMail = { notificationInstanceUuid: mailInstance };
    const profiles = {
      default: await profileOf({ recipientType: 'default', ...byMail }),
      owner: await profileOf({ recipientType: 'owner', ...byMail }),
      group: await profileOf({ recipientType: 'group', recipientUuids: [groupUuid], ...byMail }),
      role: await profileOf({ recipientType: 'role', recipientUuids: [roleUuid], ...byMail }),
      user: await profileOf({ recipientType: 'user', recipientUuids: [named], ...byMail }),
      none: await profileOf({ notificationInstanceUuid: hookInstance }),
    };
    await declareTrigger({ profiles: Object.values(profiles), ownerUuid: owner, groupUuid });
    const commonName = `${randomUUID()}.test`;
    const certificateUuid = await issueCertificate(commonName);
    for (const profile of Object.values(profiles))
      await expect.poll(() => statesOf(profile), soon).toEqual(['delivered']);

    const told = mail.mails.filter(({ text }) => text.includes(commonName)).map(({ to }) => to.join());
    expect(told.toSorted()).toEqual(
      ['group', 'group', 'named', 'owner', 'owner', 'role'].map((name) => `${name}@example.com`),
    );
    // Sent in this format.
    const called = hook.requests.map(({ body }) => JSON.parse(body) as { notificationData: object });
    expect(called).toContainEqual(
      expect.objectContaining({
        event,
        resource: 'certificates',
        recipients: [],
        notificationData: expect.objectContaining({ certificateUuid, action: 'issue' }),
      }),
    );
  });

  it('passes a provider the recipient attributes that the provider requires', async () => {
    const notifier = await startNotifier();
    const { uuid: connectorUuid } = await client.connectors.createConnector({
      body: { name: nameOf('notifier'), url: notifier.url, authType: 'none' },
    });
    const attribute = nameOf('nickname').replace(' ', '_');
    const { uuid: customAttributeUuid } = await client.customAttributes.createCustomAttribute({
      body: { name: attribute, label: attribute, contentType: 'string', resources: ['users'] },
    });
    await client.customAttributes.enableCustomAttribute({ params: { uuid: customAttributeUuid } });
    const { uuid: notificationInstanceUuid } = await client.notificationInstances.createNotificationInstance({
      body: {
        name: nameOf('asking'),
        connectorUuid,
        kind: NOTIFIER_KIND,
        attributes: roomAttributes,
        attributeMappings: [
          {
            mappingAttributeUuid: nickname.uuid,
            mappingAttributeName: nickname.name,
            customAttributeUuid,
            customAttributeLabel: attribute,
          },
        ],
      },
    });
    const [known, unknown] = [await user('known'), await user('unknown')];
    await client.customAttributes.updateAttributeContentForResource({
      params: { resourceName: 'users', objectUuid: known, attributeUuid: customAttributeUuid },
      body: [{ data: 'Kay' }],
    });
    const profile = await profileOf({
      recipientType: 'user',
      recipientUuids: [known, unknown],
      notificationInstanceUuid,
    });
    await declareTrigger({ profiles: [profile] });
    await issueCertificate();
    await expect.poll(() => statesOf(profile), soon).toEqual(['delivered']);
    expect(notifier.taken).toMatchObject([
      { recipients: [{ mappedAttributes: [{ name: nickname.name, content: [{ data: 'Kay' }] }] }] },
    ]);
    expect(await problemOf(profile)).toContain('has no value for Nickname');
  });

  it('does not allow hostile names to add headers, markup or mentions', async () => {
    const profile = await profileOf({
      recipientType: 'user',
      recipientUuids: [await user('careful')],
      notificationInstanceUuid: mailInstance,
    });
    await declareTrigger({ profiles: [profile] });
    await issueCertificate('x<script>alert(1)</script>');
    await expect.poll(() => statesOf(profile), soon).toEqual(['delivered']);
    const sent = mail.mails.find(({ to }) => to.includes('careful@example.com'));
    const html = (sent?.text ?? '').split('text/html')[1] ?? '';
    expect(html).toContain('&#60;script&#62;alert(1)');
    expect(html).not.toContain('<script>');
    const rejectedInstance = async (values: Record<string, unknown>) =>
      instanceOf('EMAIL', { ...mailTo(mail.port), ...values }).catch((error: unknown) => error);
    expect(await rejectedInstance({ data_html: '<p><script>1</script></p>' })).toMatchObject({ status: 422 });
    expect(await rejectedInstance({ data_senderAddress: 'a@example.com\r\nBcc: b@example.com' })).toMatchObject({
      status: 422,
    });
    const injected = { data_subject: 'Hello\r\nBcc: victim@example.com\r\n\r\n' };
    const answered = await rejectedInstance(injected);
    if (typeof answered !== 'string') expect(answered).toMatchObject({ status: 422 });
    else {
      const second = await profileOf({
        recipientType: 'user',
        recipientUuids: [await user('injected')],
        notificationInstanceUuid: answered,
      });
      await declareTrigger({ profiles: [second] });
      await issueCertificate();
      await expect.poll(() => statesOf(second), soon).toEqual(['delivered']);
      const other = mail.mails.find(({ to }) => to.includes('injected@example.com'));
      expect(other?.to).toEqual(['injected@example.com']);
      expect(other?.text).not.toMatch(/^Bcc:/m);
    }
  });
});

describe('a receiver', () => {
  const notifyByHook = async () => {
    const profile = await profileOf({ notificationInstanceUuid: hookInstance });
    await declareTrigger({ profiles: [profile] });
    return profile;
  };

  it('that fails for a day is retried under one identifier, and then abandoned', async () => {
    answer = (response) => response.writeHead(500).end();
    const before = hook.requests.length;
    const profile = await notifyByHook();
    await issueCertificate();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await expect.poll(async () => (await deliveriesOf(profile))[0]?.attempts, soon).toBe(attempt);
      await expect.poll(() => problemOf(profile), soon).toContain('500');
      await simulateElapsed(profile, '4 hours');
    }
    await expect.poll(() => statesOf(profile), soon).toEqual(['failed']);
    const [{ uuid = '', attempts } = {}] = await deliveriesOf(profile);
    expect(attempts).toBe(7);
    answer = (response) => response.writeHead(204).end();
    await client.notificationDeliveries.replayNotificationDelivery({ params: { uuid } });
    await expect.poll(() => statesOf(profile), soon).toEqual(['delivered']);
    const ids = hook.requests.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual(Array(8).fill(uuid));
  });

  it('that redirects to an internal address does not have its redirect followed', async () => {
    const inside = await startReceiver();
    try {
      answer = (response) => response.writeHead(307, { location: inside.url }).end();
      const profile = await notifyByHook();
      await issueCertificate();
      await expect.poll(() => problemOf(profile), soon).toMatch(/redirect|307/i);
      expect(inside.requests).toEqual([]);
    } finally {
      await inside.close();
    }
  });

  it('that hangs does not delay others, and its delivery reports the problem', async () => {
    answer = () => undefined;
    const hanging = await notifyByHook();
    const other = await profileOf({
      recipientType: 'user',
      recipientUuids: [await user('patient')],
      notificationInstanceUuid: mailInstance,
    });
    await declareTrigger({ profiles: [hanging, other] });
    await issueCertificate();
    await expect.poll(() => statesOf(other), soon).toEqual(['delivered']);
    await expect.poll(() => problemOf(hanging), soon).toMatch(/in time|did not respond/);
    expect(await statesOf(hanging)).toEqual(['waiting']);
  });

  it('for mail that accepts a message and hangs up gets the message again, marked as the same, and then no more', async () => {
    const seen: string[] = [];
    let isBroken = false;
    const raw = await startRawServer((socket) =>
      respondToLines('220 mail', (line) => {
        if (line.startsWith('Message-ID:')) seen.push(line);
        if (line === '.' && isBroken) socket.destroy();
        if (line === '.') return '250 taken';
        if (/^(EHLO|MAIL|RCPT|QUIT|NOOP|RSET)/.test(line)) return '250 fine';
        return line === 'DATA' ? '354 go on' : undefined;
      })(socket),
    );
    try {
      const notificationInstanceUuid = await instanceOf('EMAIL', mailTo(raw.port));
      isBroken = true;
      const recipientUuids = [await user('again')];
      const profile = await profileOf({ recipientType: 'user', recipientUuids, notificationInstanceUuid });
      await declareTrigger({ profiles: [profile] });
      await issueCertificate();
      await expect.poll(() => problemOf(profile), soon).not.toBe('');
      isBroken = false;
      await simulateElapsed(profile, '1 minute');
      await expect.poll(() => statesOf(profile), soon).toEqual(['delivered']);
      expect(seen).toHaveLength(2);
      expect(seen[0]).toBe(seen[1]);
    } finally {
      await raw.close();
    }
  });
});
