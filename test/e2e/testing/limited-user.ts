// Users who may do only what a test says.
import type { Client } from '@signetry/client';
import type { Action, Resource } from '@signetry/contract';
import { exportPrivateKeyPem } from '@signetry/pki/node';
import type { TestServer } from '@signetry/testkit';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { issue } from './certificates.ts';
import { defaultProfile } from './profiles.ts';
import { send } from './raw-request.ts';
import { makeRequest } from './requests.ts';

/** Signs in with a certificate and makes a token: nobody else can make one for the user. */
export async function limitedUser(
  server: TestServer,
  permissions: readonly (readonly [Resource, Action])[],
): Promise<Client> {
  const { client } = server;
  const username = `limited-${randomUUID()}`;
  const request = await makeRequest({ subject: `CN=${username}` });
  const { der, pem } = await issue(client, await defaultProfile(client), request);
  const { uuid: userUuid } = await client.users.createUser({
    body: { username, enabled: true, certificateData: der.toString('base64') },
  });
  const { uuid: roleUuid } = await client.roles.createRole({ body: { name: username } });
  // The interface has no operation for permissions of a role yet.
  for (const [resource, action] of permissions)
    await server.running.platform.database.query(
      'INSERT INTO role_permission (role_uuid, resource, action) VALUES ($1, $2, $3)',
      [roleUuid, resource, action],
    );
  await client.users.addUserRole({ params: { userUuid, roleUuid } });
  const answer = await send(server.ready.https, '/api/x/v1/accessTokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"test"}',
    tls: {
      ca: await readFile(server.ready.rootCertificate, 'utf8'),
      cert: pem,
      key: await exportPrivateKeyPem(request.privateKey),
    },
  });
  expect(answer.status, answer.text).toBe(201);
  return server.clientOf((JSON.parse(answer.text) as { token: string }).token); // of a created token
}
