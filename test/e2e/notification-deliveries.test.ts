// Goal: the cause of a notification never waits for its receiver, every queued notification is delivered or its failure
// explained, and notifications for lasting conditions are repeated as their profile specifies. A real provider over
// HTTP; the test controls its behavior.
import { randomUUID } from 'node:crypto';
import { ConnectorError } from '@signetry/connector-sdk';
import type { NotificationDelivery, NotificationProfileRequestDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issue } from './testing/certificates.ts';
import { roomAttributes, NOTIFIER_KIND, notifierAttribute, startNotifier, type Notifier } from './testing/notifier.ts';
import { defaultProfile } from './testing/profiles.ts';
import { makeRequest } from './testing/requests.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
let notifier: Notifier;
let connectorUuid: string;
let userUuid: string;
let adminUuid: string;
let number = 0;

beforeAll(async () => {
  notifier = await startNotifier({ asks: false });
  const { client } = server;
  const body = { name: 'notifier', url: notifier.url, authType: 'none' as const };
  connectorUuid = (await client.connectors.createConnector({ body })).uuid;
  const ann = { username: 'ann', email: 'ann@example.com', firstName: 'Ann', lastName: 'Example', enabled: true };
  userUuid = (await client.users.createUser({ body: ann })).uuid;
  adminUuid = (await client.auth.getUserProfile()).uuid;
});

afterEach(() => {
  notifier.before = () => undefined;
});

const database = () => server.running.platform.database;
const deliveries = () => server.client.notificationDeliveries;

async function makeInstance(room = roomAttributes): Promise<string> {
  const body = { name: `instance ${(number += 1)}`, connectorUuid, kind: NOTIFIER_KIND, attributes: room };
  return (await server.client.notificationInstances.createNotificationInstance({ body })).uuid;
}

async function makeProfile(more: Partial<NotificationProfileRequestDto> = {}): Promise<string> {
  const body: NotificationProfileRequestDto = {
    name: `profile ${(number += 1)}`,
    recipientType: 'user',
    recipientUuids: [userUuid],
    internalNotification: false,
    ...more,
  };
  return (await server.client.notificationProfiles.createNotificationProfile({ body })).uuid;
}

const toInstance = async (more: Partial<NotificationProfileRequestDto> = {}): Promise<string> =>
  makeProfile({ notificationInstanceUuid: await makeInstance(), ...more });

const occurrence = (more: object = {}) => ({
  cause: randomUUID(),
  event: 'discovery_finished' as const,
  resource: 'discoveries' as const,
  objectUuid: randomUUID() as string | null,
  data: { discoveryName: 'nightly', discoveryStatus: 'completed' },
  ...more,
});

/** Raises an occurrence, which queues its deliveries. */
async function raise(profileUuids: readonly string[], message: object = {}): Promise<void> {
  const { notifications } = server.running.areas;
  await database().transaction((tx) => notifications.send(tx, { ...occurrence(message), profileUuids }));
  notifications.wake();
}

const of = async (profileUuid: string): Promise<readonly NotificationDelivery[]> =>
  (await deliveries().listNotificationDeliveries({ query: { profileUuid } })).deliveries;

const states = async (profileUuid: string) => (await of(profileUuid)).map(({ state }) => state);

/** As if the retry delay had passed. */
const skipPause = async (profileUuid: string): Promise<void> => {
  await database().query(
    `UPDATE notification_delivery SET next_at = now() - interval '1 second' WHERE profile_uuid = $1 AND state = 'waiting'`,
    [profileUuid],
  );
  server.running.areas.notifications.wake();
};

describe('a notification delivery', () => {
  it('reaches the provider once per cause, with its recipient, event, data and identifier', async () => {
    const profile = await toInstance();
    const message = { cause: 'the same' };
    await raise([profile], message);
    await raise([profile], message);
    await expect.poll(() => states(profile)).toEqual(['delivered']);
    const [delivery] = await of(profile);
    expect(notifier.taken.filter(({ key }) => key === delivery?.uuid)).toMatchObject([
      {
        recipients: [{ name: 'Ann Example', email: 'ann@example.com' }],
        eventType: 'other',
        event: 'discovery_finished',
        resource: 'discoveries',
        notificationData: { discoveryName: 'nightly' },
        room: 'operations',
      },
    ]);
    expect(delivery).toMatchObject({ attempts: 1, recipients: [{ resource: 'users', uuid: userUuid }] });
    const shown = await deliveries().getNotificationDelivery({ params: { uuid: delivery?.uuid ?? '' } });
    expect(shown.notificationData).toEqual({ discoveryName: 'nightly', discoveryStatus: 'completed' });
  });

  it('exists only if the transaction that caused it was committed', async () => {
    const profile = await toInstance();
    const rolledBack = database().transaction(async (tx) => {
      await server.running.areas.notifications.send(tx, { ...occurrence(), profileUuids: [profile] });
      throw new Error('the change failed');
    });
    await expect(rolledBack).rejects.toThrow('the change failed');
    expect(await of(profile)).toEqual([]);
  });

  it('is retried under the same identifier after provider failures, and shows why it is waiting', async () => {
    const profile = await toInstance();
    let left = 2;
    notifier.before = () => {
      left -= 1;
      if (left >= 0) throw new ConnectorError(503, 'The mail server is full.');
    };
    await raise([profile]);
    await expect.poll(async () => (await of(profile))[0]?.problem ?? '').toContain('The mail server is full.');
    const [waiting] = await of(profile);
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(Date.parse(waiting?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 5_000);
    await skipPause(profile);
    await expect.poll(async () => (await of(profile))[0]?.attempts).toBe(2);
    await expect.poll(async () => (await of(profile))[0]?.problem ?? '').toContain('full');
    await skipPause(profile);
    await expect.poll(() => states(profile)).toEqual(['delivered']);
    const keys = notifier.asked.filter(({ key }) => key === waiting?.uuid);
    expect(keys).toHaveLength(3);
  });

  it('fails immediately if the provider rejects it, and is delivered when replayed', async () => {
    const profile = await toInstance();
    notifier.before = () => {
      throw new ConnectorError(422, ['The room operations does not exist.']);
    };
    await raise([profile]);
    await expect.poll(() => states(profile)).toEqual(['failed']);
    const [failed] = await of(profile);
    expect(failed).toMatchObject({ attempts: 1, problem: expect.stringContaining('does not exist') });
    notifier.before = () => undefined;
    const params = { uuid: failed?.uuid ?? '' };
    expect(await deliveries().replayNotificationDelivery({ params })).toMatchObject({ uuid: failed?.uuid });
    await expect.poll(() => states(profile)).toEqual(['delivered']);
    expect(notifier.taken.filter(({ key }) => key === failed?.uuid)).toHaveLength(1);
    // Replayed again, it is not treated as a duplicate.
    const before = notifier.taken.length;
    await deliveries().replayNotificationDelivery({ params });
    await expect.poll(() => notifier.taken.length).toBe(before + 1);
    expect(notifier.taken.at(-1)?.key).not.toBe(failed?.uuid);
  });

  it('through a hanging instance delays neither its cause nor other instances', { timeout: 20_000 }, async () => {
    const release = Promise.withResolvers<void>();
    notifier.before = ({ room }) => (room === 'hanging' ? release.promise : undefined);
    const hanging = await toInstance({
      notificationInstanceUuid: await makeInstance([notifierAttribute('data_room', 'hanging')]),
    });
    const other = await toInstance();
    for (let count = 0; count < 40; count += 1) await raise([hanging]);
    await raise([other]);
    await expect.poll(() => states(other)).toEqual(['delivered']);
    expect(await states(hanging)).not.toContain('delivered');
    release.resolve();
    await expect.poll(async () => new Set(await states(hanging)), { timeout: 10_000 }).toEqual(new Set(['delivered']));
  });

  it('to a removed user fails with an explanation, and one without recipients is sent without any', async () => {
    const { uuid } = await server.client.users.createUser({
      body: { username: `gone-${randomUUID()}`, enabled: true },
    });
    const gone = await toInstance({ recipientUuids: [uuid] });
    notifier.before = () => {
      throw new ConnectorError(503, 'Later.');
    };
    await raise([gone]);
    await expect.poll(async () => (await of(gone))[0]?.attempts).toBe(1);
    await expect.poll(async () => (await of(gone))[0]?.problem ?? '').toContain('Later');
    await server.client.users.deleteUser({ params: { userUuid: uuid } });
    await skipPause(gone);
    await expect.poll(() => states(gone)).toEqual(['failed']);
    expect((await of(gone))[0]?.problem).toContain('has been removed or disabled');
    notifier.before = () => undefined;
    const nobody = await makeProfile({
      recipientType: 'none',
      recipientUuids: [],
      notificationInstanceUuid: await makeInstance(),
    });
    await raise([nobody]);
    await expect.poll(() => states(nobody)).toEqual(['delivered']);
  });

  it('is kept for the configured period', async () => {
    const profile = await toInstance();
    await raise([profile]);
    await expect.poll(() => states(profile)).toEqual(['delivered']);
    const { retention } = server.client;
    const settings = { ...(await retention.getRetentionSettings()), deliveriesKeptDays: 7, notificationsKeptDays: 30 };
    expect(await retention.setRetentionSettings({ body: settings })).toEqual(settings);
    expect(await retention.getRetentionSettings()).toEqual(settings);
  });
});

describe('a notification instance', () => {
  it('can be tested with a specified recipient, and reports errors', async () => {
    const params = { uuid: await makeInstance() };
    const test = () => deliveries().testNotificationInstance({ params, body: { userUuid } });
    expect(await test()).toEqual({ delivered: true });
    expect(notifier.taken.at(-1)).toMatchObject({
      recipients: [{ name: 'Ann Example' }],
      event: 'certificate_expiring',
    });
    notifier.before = () => {
      throw new ConnectorError(422, ['Wrong password.']);
    };
    expect(await test()).toEqual({ delivered: false, problem: expect.stringContaining('Wrong password.') });
  });

  it('shows a preview of a message without sending it', async () => {
    const params = { uuid: await makeInstance() };
    const before = notifier.asked.length;
    const body = { event: 'approval_closed' as const, userUuid };
    expect(await deliveries().previewNotification({ params, body })).toEqual({
      text: 'approval_closed for Ann Example',
    });
    expect(notifier.asked).toHaveLength(before);
  });
});

describe('a lasting condition', () => {
  const expiring = (objectUuid: string) => ({
    event: 'certificate_expiring',
    resource: 'certificates',
    objectUuid,
    data: { certificateUuid: objectUuid, subjectDn: 'CN=shop.example', expiresAt: '2030-01-02T00:00:00Z' },
  });
  const certificate = async (): Promise<string> =>
    (await issue(server.client, await defaultProfile(server.client), await makeRequest({ subject: 'CN=shop.example' })))
      .uuid;
  const pendingOf = (profileUuid: string) =>
    database().query<{ sent_count: number; version: number }>(
      'SELECT sent_count, version FROM notification_pending WHERE profile_uuid = $1',
      [profileUuid],
    );

  it("is notified again after the profile's interval, under the profile version with which it started", async () => {
    const instance = await makeInstance();
    const fields = { notificationInstanceUuid: instance, frequency: 'PT24H', repetitions: 2 };
    const profile = await makeProfile(fields);
    const uuid = await certificate();
    await raise([profile], expiring(uuid));
    await raise([profile], expiring(uuid));
    expect(await of(profile)).toHaveLength(1);
    await server.client.notificationProfiles.editNotificationProfile({
      params: { uuid: profile },
      body: { recipientType: 'none', internalNotification: false, notificationInstanceUuid: instance, repetitions: 1 },
    });
    const skipDay = () =>
      database().query(
        `UPDATE notification_pending SET last_sent_at = last_sent_at - interval '25 hours', next_at = now() - interval '1 second'
         WHERE profile_uuid = $1`,
        [profile],
      );
    await skipDay();
    await server.running.areas.notifications.lookAgain();
    expect(await of(profile)).toHaveLength(2);
    expect((await of(profile)).map(({ profileVersion }) => profileVersion)).toEqual([1, 1]);
    expect(await pendingOf(profile)).toEqual([{ sent_count: 2, version: 1 }]);
    await skipDay();
    await raise([profile], expiring(uuid));
    expect(await of(profile)).toHaveLength(2);
  });

  it('is forgotten when it ends', async () => {
    const profile = await toInstance({ frequency: 'PT1H' });
    const uuid = await certificate();
    await raise([profile], expiring(uuid));
    expect(await pendingOf(profile)).toHaveLength(1);
    await server.client.certificates.archiveCertificate({ params: { uuid } });
    await database().query(
      `UPDATE notification_pending SET next_at = now() - interval '1 second' WHERE profile_uuid = $1`,
      [profile],
    );
    await server.running.areas.notifications.lookAgain();
    expect(await pendingOf(profile)).toEqual([]);
    expect(await of(profile)).toHaveLength(1);
  });
});

describe("a user's notifications", () => {
  const inbox = () => server.client.notifications;

  it('report each event that concerns the user once, with the next step, and can be read and deleted', async () => {
    const { platform } = server.running;
    const discovery = {
      discoveryUuid: randomUUID(),
      discoveryName: 'nightly',
      discoveryUserUuid: adminUuid,
      discoveryConnectorUuid: null,
      discoveryConnectorName: 'network-discovery',
      discoveryStatus: 'failed' as const,
      totalCertificateDiscovered: 0,
      discoveryMessage: 'The network is not allowed.',
    };
    await database().transaction((tx) => platform.events.append(tx, 'discovery_finished', discovery));
    platform.events.wake();
    const listOwn = async () =>
      (await inbox().listNotifications({ query: { unread: true } })).items.filter(({ targetObjectIdentification }) =>
        targetObjectIdentification?.includes(discovery.discoveryUuid),
      );
    await expect.poll(listOwn).toMatchObject([
      {
        message: expect.stringContaining('Discovery nightly finished (failed)'),
        detail: 'The network is not allowed.',
        targetObjectType: 'discoveries',
      },
    ]);
    const { unread } = await deliveries().countUnreadNotifications();
    const [first] = await listOwn();
    const params = { uuid: first?.uuid ?? '' };
    await inbox().markNotificationAsRead({ params });
    expect(await listOwn()).toEqual([]);
    expect(await deliveries().countUnreadNotifications()).toEqual({ unread: unread - 1 });
    await inbox().bulkMarkNotificationAsRead({ body: [randomUUID()] });
    await inbox().deleteNotification({ params });
    await expect(inbox().deleteNotification({ params })).rejects.toMatchObject({ status: 404 });
    await inbox().bulkDeleteNotification({ body: [params.uuid] });
  });

  it('from a notification profile reach the members of its groups', async () => {
    const { uuid: group } = await server.client.groups.createGroup({ body: { name: 'on call' } });
    await server.client.users.updateUser({
      params: { userUuid: adminUuid },
      body: { email: 'admin@example.com', groupUuids: [group] },
    });
    const profile = await makeProfile({ recipientType: 'group', recipientUuids: [group], internalNotification: true });
    const objectUuid = randomUUID();
    await raise([profile], { objectUuid, data: { discoveryUuid: objectUuid, discoveryName: 'weekly' } });
    const { items } = await inbox().listNotifications({ query: {} });
    expect(items[0]).toMatchObject({ message: expect.stringContaining('Discovery weekly') });
  });
});
