// A real kill -9 during key generation: a separate process is killed and its calls are repeated.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cryptographyProviderOperations as operations } from '@signetry/contract';
import { beforeAll, expect, inject, it } from 'vitest';
import {
  createPair,
  createToken,
  sign,
  signatureAttributes,
  startTestTokens,
  type TestTokens,
} from '../testing/test-tokens.ts';

let ours: TestTokens;
let token = '';
beforeAll(async () => {
  ours = await startTestTokens();
  // The token stays active, so that the killed process needs no activation code.
  token = await createToken(ours.call, { staysActive: true });
});

async function createUntilKilled(answers: number): Promise<{ asked: Set<string>; got: Map<string, string> }> {
  const { runDirectory, port, user, password } = inject('cluster');
  const facts = {
    connection: { host: runDirectory, port, user, password, database: ours.database },
    token,
    sealingKey: Buffer.from(ours.sealingKey).toString('hex'),
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../testing/killable-maker.ts')], {
    env: { ...process.env, NODE_OPTIONS: '', KILLABLE_MAKER: JSON.stringify(facts) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const asked = new Set<string>();
  const got = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [what, key = '', uuid = ''] = line.split(' ');
    // The kill can truncate the last line.
    if (key.length < 36) continue;
    if (what === 'asked') asked.add(key);
    if (what === 'got' && uuid.length === 36) got.set(key, uuid);
    if (got.size === answers) child.kill('SIGKILL');
  }
  await exit;
  return { asked, got };
}

it.each([1, 30])(
  'a call that is repeated after the process was killed at %i responses returns the key that was created',
  async (answers) => {
    const { asked, got } = await createUntilKilled(answers);
    expect(got.size).toBeGreaterThanOrEqual(answers);
    const { call } = await ours.another();
    for (const idempotencyKey of asked) {
      const { privateKeyData } = await createPair(call, token, { alias: idempotencyKey, idempotencyKey });
      const earlier = got.get(idempotencyKey);
      if (earlier !== undefined) expect(privateKeyData.uuid).toBe(earlier);
      const attributes = signatureAttributes({ digest: 'SHA-256' });
      const data = Buffer.from('data');
      expect(await sign(call, { token, key: privateKeyData.uuid, attributes, data })).not.toHaveLength(0);
    }
    const keys = await call(operations.listKeys, { params: { uuid: token } });
    // One pair per call, regardless of when it was interrupted.
    for (const alias of asked) expect(keys.filter(({ name }) => name === alias)).toHaveLength(2);
  },
);
