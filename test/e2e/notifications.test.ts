// Goal: notification instances and profiles behave as the API specifies, and rejections are explained.
import { randomUUID } from 'node:crypto';
import type { NotificationProfileRequestDto } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { beforeAll, describe, expect, it } from 'vitest';
import { userWithRole } from './testing/limited-user.ts';
import {
  roomAttributes,
  nickname,
  NOTIFIER_KIND,
  notifierAttribute,
  startNotifier,
  type Notifier,
} from './testing/notifier.ts';

const server = sharedTestServer({ args: ['--egress-allowed-hosts', '127.0.0.1'] });
let notifier: Notifier;
let connectorUuid: string;
let userUuid: string;
let number = 0;

beforeAll(async () => {
  notifier = await startNotifier();
  const body = { name: 'notifier', url: notifier.url, authType: 'none' as const };
  connectorUuid = (await server.client.connectors.createConnector({ body })).uuid;
  userUuid = (await server.client.users.createUser({ body: { username: 'ann', email: 'ann@example.com' } })).uuid;
});

const instances = () => server.client.notificationInstances;
const profiles = () => server.client.notificationProfiles;

const instanceBody = (name = `instance ${(number += 1)}`) => ({
  name,
  connectorUuid,
  kind: NOTIFIER_KIND,
  attributes: roomAttributes,
});

const makeInstance = async (): Promise<string> =>
  (await instances().createNotificationInstance({ body: instanceBody() })).uuid;

const profileBody = (more: Partial<NotificationProfileRequestDto> = {}): NotificationProfileRequestDto => ({
  name: `profile ${(number += 1)}`,
  recipientType: 'owner',
  internalNotification: true,
  ...more,
});

const makeProfile = (more: Partial<NotificationProfileRequestDto> = {}) =>
  profiles().createNotificationProfile({ body: profileBody(more) });

/** Status and message of a rejection. */
const rejectionOf = async (call: Promise<unknown>): Promise<{ status: number; text: string }> =>
  call.then(
    () => expect.fail('was not rejected'),
    (error: { status: number; message: string }) => ({ status: error.status, text: error.message }),
  );

describe('a notification instance', () => {
  it('is created at its connector, returned without secrets, edited, listed and deleted', async () => {
    const attributes = [...roomAttributes, notifierAttribute('data_secret', { secret: 'planted-secret' })];
    const body = { ...instanceBody('operations'), description: 'On call', attributes };
    const { uuid } = await instances().createNotificationInstance({ body });
    const shown = await instances().getNotificationInstance({ params: { uuid } });
    expect(shown).toMatchObject({
      name: 'operations',
      description: 'On call',
      connectorUuid,
      connectorName: 'notifier',
      kind: NOTIFIER_KIND,
    });
    expect(JSON.stringify(shown)).toContain('operations');
    expect(JSON.stringify(shown)).not.toContain('planted-secret');
    const edited = await instances().editNotificationInstance({
      params: { uuid },
      body: { attributes: [notifierAttribute('data_room', 'security')] },
    });
    expect(edited.attributes.find(({ name }) => name === 'data_room')?.content).toMatchObject([{ data: 'security' }]);
    expect(edited.description).toBeUndefined();
    expect((await instances().listNotificationInstances()).map(({ name }) => name)).toContain('operations');
    await instances().deleteNotificationInstance({ params: { uuid } });
    expect(await rejectionOf(instances().getNotificationInstance({ params: { uuid } }))).toMatchObject({ status: 404 });
  });

  it('is rejected with an existing name, an unsupported kind or missing attributes', async () => {
    const body = instanceBody();
    await instances().createNotificationInstance({ body });
    expect(await rejectionOf(instances().createNotificationInstance({ body }))).toMatchObject({ status: 400 });
    const of = (more: object) => instances().createNotificationInstance({ body: { ...instanceBody(), ...more } });
    expect((await rejectionOf(of({ kind: 'Pigeon' }))).text).toContain(NOTIFIER_KIND);
    expect(await rejectionOf(of({ attributes: [] }))).toMatchObject({ status: 422 });
    expect(await rejectionOf(of({ connectorUuid: randomUUID() }))).toMatchObject({ status: 404 });
  });

  it("maps custom attributes to its kind's recipient attributes, but only attributes of the same type", async () => {
    const define = (name: string, contentType: 'string' | 'integer') =>
      server.client.customAttributes.createCustomAttribute({
        body: { name, label: name, contentType, resources: ['users'], visible: true, required: false, readOnly: false, list: false, multiSelect: false }, // prettier-ignore
      });
    const { uuid: text } = await define('nick', 'string');
    const { uuid: whole } = await define('floor', 'integer');
    const params = { connectorUuid, kind: NOTIFIER_KIND };
    expect(await instances().listMappingAttributes({ params })).toMatchObject([{ name: nickname.name }]);
    const mapping = (customAttributeUuid: string, mappingAttributeUuid = nickname.uuid) => ({
      mappingAttributeUuid,
      mappingAttributeName: nickname.name,
      customAttributeUuid,
      customAttributeLabel: 'Label',
    });
    const withMappings = (...attributeMappings: ReturnType<typeof mapping>[]) =>
      instances().createNotificationInstance({ body: { ...instanceBody(), attributeMappings } });
    const { uuid } = await withMappings(mapping(text));
    const shown = await instances().getNotificationInstance({ params: { uuid } });
    expect(shown.attributeMappings).toEqual([mapping(text)]);
    expect((await rejectionOf(withMappings(mapping(whole)))).text).toContain('map an attribute of the same type');
    expect((await rejectionOf(withMappings(mapping(randomUUID())))).text).toContain('does not exist');
    expect((await rejectionOf(withMappings(mapping(text, randomUUID())))).text).toContain(nickname.name);
    expect((await rejectionOf(withMappings(mapping(text), mapping(text)))).text).toContain('mapped more than once');
  });

  it('cannot be deleted while any version of a profile uses it, and neither can its connector', async () => {
    const notificationInstanceUuid = await makeInstance();
    const { uuid, name } = await makeProfile({ notificationInstanceUuid });
    const body = { recipientType: 'owner' as const, internalNotification: true };
    await profiles().editNotificationProfile({ params: { uuid }, body });
    const params = { uuid: notificationInstanceUuid };
    const refused = await rejectionOf(instances().deleteNotificationInstance({ params }));
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(name) });
    const [kept] = await server.client.connectors.bulkDeleteConnector({ body: [connectorUuid] });
    expect(kept?.message).toContain('Notification instances');
    await profiles().deleteNotificationProfile({ params: { uuid } });
    await instances().deleteNotificationInstance({ params });
  });
});

describe('a notification profile', () => {
  it('gets a new version for every change except a change to its description', async () => {
    const created = await makeProfile({ recipientType: 'user', recipientUuids: [userUuid], frequency: 'P1D' });
    expect(created).toMatchObject({ version: 1, recipients: [{ uuid: userUuid, name: 'ann' }], frequency: 'PT24H' });
    const params = { uuid: created.uuid };
    const edit = (more: object) =>
      profiles().editNotificationProfile({
        params,
        body: { recipientType: 'user', recipientUuids: [userUuid], internalNotification: true, frequency: 'PT24H', ...more }, // prettier-ignore
      });
    expect(await edit({})).toMatchObject({ version: 1 });
    expect(await edit({ description: 'Daily' })).toMatchObject({ version: 1, description: 'Daily' });
    expect(await edit({ description: 'Daily', repetitions: 3 })).toMatchObject({ version: 2, repetitions: 3 });
    const first = await profiles().getNotificationProfile({ params, query: { version: 1 } });
    expect(first).toMatchObject({ version: 1, description: 'Daily' });
    expect(first.repetitions).toBeUndefined();
    expect(await rejectionOf(profiles().getNotificationProfile({ params, query: { version: 9 } }))).toMatchObject({
      status: 404,
    });
  });

  it('is rejected without a recipient, with unknown recipients, or with an unsupported frequency', async () => {
    const refused = async (more: Partial<NotificationProfileRequestDto>) => rejectionOf(makeProfile(more));
    expect(await refused({ internalNotification: false })).toMatchObject({ status: 422 });
    expect(await refused({ recipientType: 'group' })).toMatchObject({ status: 422 });
    expect(await refused({ recipientUuids: [userUuid] })).toMatchObject({ status: 422 });
    expect(await refused({ recipientType: 'role', recipientUuids: [randomUUID()] })).toMatchObject({ status: 404 });
    expect(await refused({ notificationInstanceUuid: randomUUID() })).toMatchObject({ status: 404 });
    for (const frequency of ['PT90M', 'P0D', '1 day', 'PT1000000H'])
      expect((await refused({ frequency })).text).toContain('whole hours');
    expect((await refused({ repetitions: 0 })).status).toBe(422);
    const { name } = await makeProfile();
    expect(await refused({ name })).toMatchObject({ status: 400, text: expect.stringContaining('already exists') });
  });

  it('can name only recipients that its author is allowed to see', async () => {
    const create = { name: 'notificationProfiles', allowAllActions: false, actions: ['create'] };
    const seeUsers = { name: 'users', allowAllActions: false, actions: ['detail'] };
    const body = profileBody({ recipientType: 'user', recipientUuids: [userUuid] });
    const blind = (await userWithRole(server, [create])).client.notificationProfiles;
    expect(await rejectionOf(blind.createNotificationProfile({ body }))).toMatchObject({ status: 404 });
    const seeing = (await userWithRole(server, [create, seeUsers])).client.notificationProfiles;
    expect(await seeing.createNotificationProfile({ body })).toMatchObject({ version: 1 });
  });
});
