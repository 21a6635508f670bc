// Secrets are not exposed to users or other programs: in the database, responses, errors or the log.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { cryptographyProviderOperations as operations } from '@signetry/contract';
import { createSealing } from '@signetry/connector-sdk';
import { beforeAll, expect, it } from 'vitest';
import { dataKeyPurpose, KIND, unattendedDataKeyPurpose } from './declaration.ts';
import { KEY, TOKEN } from './index.ts';
import {
  activate,
  createToken,
  file,
  importPair,
  rejectionOf,
  secret,
  startTestTokens,
  text,
  type TestTokens,
} from './testing/test-tokens.ts';

const FIRST = 'planted-code-number-one';
const SECOND = 'planted-code-number-two';
const PASSWORD = 'planted-password-of-a-file';

let ours: TestTokens;
const answers: unknown[] = [];
const recordResponse = async (answer: Promise<unknown>): Promise<void> => {
  answers.push(await answer.catch((error: unknown) => [String(error), error]));
};
let token = '';
const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });

beforeAll(async () => {
  ours = await startTestTokens();
  const { call } = ours;
  token = await createToken(call, { code: FIRST, staysActive: true, allowsImport: true, idempotencyKey: 'a key' });
  const encrypted = pair.privateKey.export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: PASSWORD,
  });
  const importing = [file(KEY.file, encrypted), secret(KEY.filePassword, PASSWORD)];
  await recordResponse(importPair(call, token, [text(KEY.alias, 'imported'), ...importing]));
  await recordResponse(importPair(call, token, [text(KEY.alias, 'imported'), ...importing]));
  await recordResponse(activate(call, token, `${FIRST}, but wrong`));
  await recordResponse(
    call(operations.updateTokenInstance, {
      params: { uuid: token },
      body: { name: 'token', kind: KIND, attributes: [secret(TOKEN.code, FIRST), secret(TOKEN.newCode, SECOND)] },
    }),
  );
  await recordResponse(activate(call, token, SECOND));
  const params = { uuid: token };
  await recordResponse(call(operations.getTokenInstanceStatus, { params }));
  await recordResponse(call(operations.listTokenInstances, {}));
  await recordResponse(call(operations.listKeys, { params }));
  await recordResponse(call(operations.listTokenInstanceActivationAttributes, { params }));
  await recordResponse(call(operations.listCreateKeyPairAttributes, { params }));
  await recordResponse(activate(call, token, ''));
});

/** Returns every row of every table of the connector, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await ours.pool.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'connector_software_tokens'`,
  );
  expect(tables.length).toBeGreaterThan(4);
  const parts: string[] = [];
  for (const { table_name } of tables) {
    const { rows } = await ours.pool.query(`SELECT t::text AS row FROM connector_software_tokens.${table_name} t`);
    parts.push(...rows.map(({ row }) => String(row)));
  }
  return parts.join('\n');
}

/** Returns a text or bytes in every encoding in which they might appear. */
function encodingsOf(planted: string | Uint8Array): string[] {
  const octets = Buffer.from(planted);
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), octets])
      .toString('base64')
      .slice(4, -4),
  );
  return [octets.toString('utf8'), octets.toString('hex'), ...base64];
}

it('codes, passwords and private keys are not stored in plaintext anywhere', async () => {
  const jwk = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })).export({ format: 'jwk' });
  const planted = [
    FIRST,
    SECOND,
    PASSWORD,
    ...['d', 'p', 'q'].map((part) => Buffer.from(String(Reflect.get(jwk, part)), 'base64url')),
  ];
  const places = { database: await dump(), answers: JSON.stringify(answers), log: ours.logged.join('\n') };
  for (const [place, content] of Object.entries(places)) {
    const found = planted.flatMap(encodingsOf).filter((form) => content.includes(form));
    expect(found, place).toEqual([]);
  }
  // The search does find data that is present.
  const modulus = Buffer.from(String(jwk.n), 'base64url');
  expect(encodingsOf(modulus).some((form) => places.answers.includes(form))).toBe(true);
  expect(encodingsOf(modulus).some((form) => places.database.includes(form))).toBe(true);
});

it('the data key is sealed twice, and the sealing key alone opens only the copy for a token that stays active', async () => {
  const { rows } = await ours.pool.query<{ sealed_data_key: Buffer; sealed_unattended_key: Buffer }>(
    'SELECT sealed_data_key, sealed_unattended_key FROM connector_software_tokens.token WHERE uuid = $1',
    [token],
  );
  const [row] = rows;
  const { open } = createSealing(ours.sealingKey);
  const dataKey = Buffer.from(open(row?.sealed_unattended_key ?? Buffer.alloc(0), unattendedDataKeyPurpose(token)));
  expect(dataKey).toHaveLength(32);
  const wrapped = Buffer.from(open(row?.sealed_data_key ?? Buffer.alloc(0), dataKeyPurpose(token)));
  expect(wrapped.includes(dataKey)).toBe(false);
  const content = await dump();
  expect(encodingsOf(dataKey).filter((form) => content.includes(form))).toEqual([]);
});

it('the record of repeated calls contains nothing that helps to guess a code', async () => {
  const again = { staysActive: true, allowsImport: true, idempotencyKey: 'a key' };
  expect(await createToken(ours.call, { ...again, code: 'quite another code' })).toBe(token);
  expect(await rejectionOf(activate(ours.call, token, 'quite another code'))).toContain('is incorrect');
});
