// Input as sent by third-party forms and scripts: numbers, booleans and secrets as strings, and empty strings for
// absent values.
import { randomUUID } from 'node:crypto';
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';
import { defaultProfile } from './testing/profiles.ts';

const server = sharedTestServer();

async function send(method: string, path: string, body: object) {
  const headers = { authorization: `Bearer ${server.ready.token}`, 'content-type': 'application/json' };
  const response = await fetch(`${server.ready.http}/api${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

const ownUuid = async () => (await server.client.auth.getUserProfile({})).uuid;

describe('a form', () => {
  it('can create an approval profile with its numbers as strings', async () => {
    const approvalSteps = [
      { order: '1', description: 's1', requiredApprovals: '1', userUuid: await ownUuid(), roleUuid: '', groupUuid: '' },
    ];
    const sent = { name: randomUUID(), enabled: 'false', approvalSteps, expiry: '24', description: 'd' };
    const { status, body } = await send('POST', '/v1/approvalProfiles', sent);
    expect([status, body]).toMatchObject([200, { uuid: expect.any(String) }]);
    const made = await server.client.approvalProfiles.getApprovalProfile({ params: { uuid: String(body['uuid']) } });
    expect(made).toMatchObject({ expiry: 24, approvalSteps: [{ order: 1, requiredApprovals: 1 }] });
  });

  it('can create a notification profile with the number of repetitions as a string', async () => {
    const sent = {
      name: randomUUID(),
      description: 'x',
      repetitions: '3',
      internalNotification: 'true',
      recipientType: 'user',
      recipientUuids: [await ownUuid()],
      notificationInstanceUuid: '',
    };
    expect((await send('POST', '/v1/notificationProfiles', sent)).status).toBe(200);
  });

  it('can create a credential with a secret as a string', async () => {
    const connectors = await server.client.connectors.listConnectors({});
    const connectorUuid = connectors.find(({ name }) => name === 'common-credentials')?.uuid;
    const field = (uuid: string, name: string, contentType: string, data: string) => ({
      uuid,
      name,
      label: name,
      type: 'data',
      contentType,
      content: [{ data }],
    });
    const attributes = [
      field('fe2d6d35-fb3d-4ea0-9f0b-7e39be93beeb', 'username', 'string', 'u'),
      field('04506d45-c865-4ddc-b6fc-117ee5d5c8e7', 'password', 'secret', 'canary of the form'),
    ];
    const sent = { name: randomUUID(), kind: 'Basic', attributes, connectorUuid };
    const { status, body } = await send('POST', '/v1/credentials', sent);
    expect(status).toBe(201);
    const shown = await server.client.credentials.getCredential({ params: { uuid: String(body['uuid']) } });
    expect(JSON.stringify(shown)).not.toContain('canary');
  });

  it('can set a numeric custom attribute as a string, without its content type', async () => {
    const { uuid } = await server.client.customAttributes.createCustomAttribute({
      body: { name: randomUUID(), contentType: 'integer', label: 'Shelf', resources: ['groups'] },
    });
    await server.client.customAttributes.enableCustomAttribute({ params: { uuid } });
    const group = await server.client.groups.createGroup({ body: { name: randomUUID() } });
    const path = `/v1/attributes/custom/resources/groups/objects/${group.uuid}/${uuid}`;
    expect(await send('PATCH', path, [{ data: '7' }])).toMatchObject({ status: 200 });
    const { customAttributes } = await server.client.groups.getGroup({ params: { uuid: group.uuid } });
    expect(customAttributes).toMatchObject([{ content: [{ data: 7 }] }]);
  });

  it('can create an RA profile with a numeric attribute as a string', async () => {
    const { authorityUuid } = await defaultProfile(server.client);
    const attributes = [
      {
        uuid: '5e0f7a3c-9d41-4b20-8c52-000000000002',
        name: 'data_validityDays',
        contentType: 'integer',
        content: [{ data: '30' }],
      },
    ];
    const sent = { name: randomUUID(), description: 'made by mouse', attributes, customAttributes: [], enabled: '' };
    const { status, body } = await send('POST', `/v1/authorities/${authorityUuid}/raProfiles`, sent);
    expect([status, body]).toMatchObject([201, { uuid: expect.any(String) }]);
    const { attributes: kept = [] } = await server.client.raProfiles.getRaProfile({
      params: { authorityUuid, raProfileUuid: String(body['uuid']) },
    });
    expect(kept.find(({ name }) => name === 'data_validityDays')?.content).toEqual([{ data: 30 }]);
  });
});

it('our API extensions, and input that would broaden a request, are parsed strictly', async () => {
  const token = await send('POST', '/x/v1/accessTokens', { name: randomUUID(), expiresAt: '' });
  expect(token.status).toBe(422);
  const page = await send('POST', '/v1/certificates', { filters: '' });
  expect(page.status).toBe(400);
  const numbers = await send('POST', '/v1/certificates', { itemsPerPage: '2', pageNumber: '1' });
  expect([numbers.status, numbers.body]).toMatchObject([200, { itemsPerPage: 2 }]);
});
