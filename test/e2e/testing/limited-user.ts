// Users with only the permissions that a test specifies.
import type { Client } from '@signetry/client';
import type { Action, Resource, ResourcePermissionsRequestDto } from '@signetry/contract';
import { exportPrivateKeyPem } from '@signetry/pki/node';
import type { TestServer } from '@signetry/testkit/platform';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { issue } from './certificates.ts';
import { defaultProfile } from './profiles.ts';
import { send, type RawRequest } from './raw-request.ts';
import { makeRequest } from './requests.ts';

export interface LimitedUser {
  /** Makes calls as the user. */
  readonly client: Client;
  readonly username: string;
  readonly token: string;
  /** The client certificate and the trusted CA. */
  readonly tls: NonNullable<RawRequest['tls']>;
  readonly userUuid: string;
  /** The user's only role. */
  readonly roleUuid: string;
}

/** Creates a user whose only role grants these permissions. */
export async function limitedUser(
  server: TestServer,
  permissions: readonly (readonly [Resource, Action])[],
): Promise<Client> {
  const actions = Map.groupBy(permissions, ([resource]) => resource);
  const resources = [...actions].map(([name, granted]) => ({
    name,
    allowAllActions: false,
    actions: granted.map(([, action]) => action),
  }));
  return (await userWithRole(server, resources)).client;
}

/** Signs in with a certificate and creates an access token, since only the user can create one. */
export async function userWithRole(
  server: TestServer,
  resources: readonly ResourcePermissionsRequestDto[],
): Promise<LimitedUser> {
  const { client } = server;
  const username = `limited-${randomUUID()}`;
  const request = await makeRequest({ subject: `CN=${username}` });
  const { der, pem } = await issue(client, await defaultProfile(client), request);
  const { uuid: userUuid } = await client.users.createUser({
    body: { username, enabled: true, certificateData: der.toString('base64') },
  });
  const { uuid: roleUuid } = await client.roles.createRole({ body: { name: username } });
  await client.roles.saveRolePermissions({
    params: { roleUuid },
    body: { allowAllResources: false, resources: [...resources] },
  });
  await client.users.addUserRole({ params: { userUuid, roleUuid } });
  const tls = {
    ca: await readFile(server.ready.rootCertificate, 'utf8'),
    cert: pem,
    key: await exportPrivateKeyPem(request.privateKey),
  };
  const answer = await send(server.ready.https, '/api/x/v1/accessTokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"test"}',
    tls,
  });
  expect(answer.status, answer.text).toBe(201);
  const { token } = JSON.parse(answer.text) as { token: string }; // Response for a created token.
  return { client: server.clientOf(token), username, token, tls, userUuid, roleUuid };
}
