// Operations of the interface that are not served yet are told apart from those that do not exist, and from neighbours
// whose pattern fits their path.
import { operationsNotServed } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit';
import { expect, it } from 'vitest';

const server = sharedTestServer();
const UUID = '5b1cf10a-7c4e-4b6e-8d8a-1c1a9f0b5a11';

async function answer(method: string, path: string): Promise<{ status: number; code: unknown; message: unknown }> {
  const reply = await fetch(`${server.ready.http}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.ready.token}` },
  });
  const { code, message } = (await reply.json()) as { code?: unknown; message?: unknown };
  return { status: reply.status, code, message };
}

it('each operation that is not served says so', async () => {
  for (const { method, path } of operationsNotServed) {
    const asked = `/api${path.replaceAll(/\{\w+\}/g, UUID)}`;
    expect([method, path, await answer(method, asked)]).toEqual([
      method,
      path,
      {
        status: 404,
        code: 'NOT_FOUND',
        message: `${method} /api${path} is an operation of the interface that is not served by this version.`,
      },
    ]);
  }
});

it('its path names no method as taken, unless another operation is served there', async () => {
  expect(await answer('PATCH', '/api/v1/cmpProfiles')).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect(await answer('PUT', '/api/v1/groups')).toMatchObject({ status: 405 });
});
