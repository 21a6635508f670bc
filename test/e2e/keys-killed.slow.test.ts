// The process dies while a key is created or destroyed: keys in the token are found again, and destroyed keys are not
// used.
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from '@signetry/client';
import { expect, it } from 'vitest';
import { startProgram, temporaryFolder } from './testing/program.ts';
import { activate, createKey, createTokenWithProfile, itemPath, textValue } from './testing/tokens.ts';

/** Three program starts. */
const TIMEOUT_MS = 180_000;
const directory = join(temporaryFolder(), 'data');

/** Makes the process die during a call. */
async function dieAt(point: string, call: (client: Client) => Promise<unknown>): Promise<void> {
  const program = await startProgram({ directory, environment: { SIGNETRY_FAULT_POINT: point } });
  const died = once(program.child, 'exit');
  await call(program.client).catch(() => undefined);
  const [, signal] = (await died) as [number | null, string | null]; // Arguments of the `exit` event.
  expect(signal).toBe('SIGKILL');
}

it(
  'finds a key whose creation was interrupted, and completes an interrupted destruction',
  { timeout: TIMEOUT_MS },
  async () => {
    const made: { path?: Awaited<ReturnType<typeof createTokenWithProfile>> } = {};
    await dieAt('key.afterCreation', async (client) => {
      made.path = await createTokenWithProfile(client);
      await createKey(client, made.path, { specification: 'P-256', name: 'cut off' });
    });
    const path = made.path ?? expect.fail('there is no token');
    const { tokenInstanceUuid } = path;

    const key: { uuid?: string } = {};
    await dieAt('key.afterDestruction', async (client) => {
      expect((await client.keys.listKeys({ body: {} })).totalItems).toBe(0);
      await activate(client, tokenInstanceUuid);
      await client.keys.syncKeys({ params: { tokenInstanceUuid } });
      await client.keys.syncKeys({ params: { tokenInstanceUuid } });
      const { cryptographicKeys } = await client.keys.listKeys({ body: {} });
      expect(cryptographicKeys.map(({ enabled, state }) => ({ enabled, state }))).toEqual([
        { enabled: false, state: 'active' },
        { enabled: false, state: 'active' },
      ]);
      key.uuid = cryptographicKeys[0]?.keyWrapperUuid ?? '';
      const history = await client.keys.getKeyItemHistory({
        params: { uuid: key.uuid, keyItemUuid: cryptographicKeys[0]?.uuid ?? '' },
      });
      expect(history.map(({ message }) => message)).toEqual([expect.stringContaining('Found in token')]);
      await client.keys.destroyKey({ params: { uuid: key.uuid }, body: [] });
    });

    const program = await startProgram({ directory });
    const { client } = program;
    const params = { uuid: key.uuid ?? '' };
    const cutOff = await client.keys.getKey({ params });
    expect(cutOff.items.map(({ state }) => state)).toEqual(['deactivated', 'deactivated']);
    await activate(client, tokenInstanceUuid);
    const signing = client.keyUse.signData({
      params: itemPath(path, cutOff, 'Private'),
      body: { signatureAttributes: [textValue('data_sigDigest', 'SHA-256')], data: [{ data: 'AA==' }] },
    });
    await expect(signing).rejects.toMatchObject({ status: 404 });
    await client.keys.destroyKey({ params, body: [] });
    expect((await client.keys.getKey({ params })).items.map(({ state }) => state)).toEqual(['destroyed', 'destroyed']);
    await program.stop();
  },
);
