// Scoped tokens cannot make changes that every signed-in user can otherwise make, unless their scope permits them.
import { randomUUID } from 'node:crypto';
import { platformOperations, type Operation } from '@signetry/contract';
import { sharedTestServer } from '@signetry/testkit/platform';
import { describe, expect, it } from 'vitest';

const server = sharedTestServer();

/** Returns the status of a call that names nonexistent objects. */
async function statusOf(token: string, { method, path }: Operation): Promise<number> {
  const url = `${server.ready.http}/api${path.replace(/\{\w+\}/g, () => randomUUID())}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await fetch(url, { method, headers, body: '{}' })).status;
}

const tokenWith = async (name: string, actions: readonly string[]): Promise<string> => {
  const permissions = {
    allowAllResources: false,
    resources: [{ name, allowAllActions: false, actions: [...actions] }],
  };
  const { token } = await server.client.accessTokens.createAccessToken({
    body: { name: randomUUID(), scope: { permissions } },
  });
  return token;
};

const changes = Object.entries<Operation>(platformOperations).filter(
  ([, { access, audit, also }]) => access === 'authenticated' && audit && !also,
);

describe('a scoped token', () => {
  it.each(changes)('makes no change with %s unless its scope permits it', async (_key, operation) => {
    expect(await statusOf(await tokenWith('certificates', ['list', 'update']), operation)).toBe(403);
    if (!operation.scope) return;
    const { resource, action } = operation.scope;
    expect(await statusOf(await tokenWith(resource, [action]), operation)).not.toBe(403);
  });

  it('cannot be created with unknown fields', async () => {
    const body = { name: randomUUID(), role: 'auditor' };
    const made = server.client.accessTokens.createAccessToken({ body });
    await expect(made).rejects.toMatchObject({ status: 400, message: expect.stringContaining('role: unknown field') });
  });
});
