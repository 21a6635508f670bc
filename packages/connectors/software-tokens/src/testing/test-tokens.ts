// The connector on a test database, with an adjustable clock and encrypted keys.
import { randomBytes } from 'node:crypto';
import {
  inProcess,
  isConnectorError,
  startConnector,
  type CallConnector,
  type RunningConnector,
} from '@signetry/connector-sdk';
import {
  cryptographyProviderOperations as operations,
  CIPHER_ATTRIBUTES,
  SIGNATURE_ATTRIBUTES,
  type AttributeContentType,
  type RequestAttributeDto,
} from '@signetry/contract';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import pg from 'pg';
import { afterAll } from 'vitest';
import { createConnector } from '../connector.ts';
import { KIND } from '../declaration.ts';
import { KEY, TOKEN } from '../index.ts';
import { testContext } from './test-context.ts';

export interface TestTokens {
  readonly call: CallConnector;
  readonly running: RunningConnector;
  readonly pool: pg.Pool;
  /** Starts the connector on the same tables, like a second process or a restart after a crash. */
  another(): Promise<TestTokens>;
  setTime(now: Date | undefined): void;
  readonly sealingKey: Uint8Array;
  readonly database: string;
  /** All log records of all processes. */
  readonly logged: readonly string[];
}

/** Low cost, since every test opens tokens, some of them dozens of times. */
const CHEAP_CODES = { code_cost: 2 ** 10, code_block_size: 8, code_parallelization: 1 };

export async function startTestTokens(): Promise<TestTokens> {
  const { connection } = await testDatabaseWithConnection();
  const pool = new pg.Pool({ ...connection, max: 6 });
  pool.on('error', () => undefined); // Dropping the database closes its connections.
  afterAll(() => pool.end());
  let time: Date | undefined;
  const setTime = (now: Date | undefined): void => void (time = now);
  const sealingKey = randomBytes(32);
  const logged: string[] = [];
  const another = async (): Promise<TestTokens> => {
    const context = testContext(pool, {
      sealingKey,
      now: () => time ?? new Date(),
      logged: (line) => void logged.push(line),
    });
    const running = await startConnector(createConnector(CHEAP_CODES), context);
    const call = inProcess(running, { checkAnswers: true });
    return { call, running, pool, another, setTime, sealingKey, database: connection.database ?? '', logged };
  };
  return another();
}

// ---- attributes ----

const attribute = (name: string, contentType: AttributeContentType, data: unknown): RequestAttributeDto => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  name,
  contentType,
  content: [{ data }],
});
export const text = (name: string, value: string) => attribute(name, 'string', value);
export const flag = (name: string, value: boolean) => attribute(name, 'boolean', value);
export const secret = (name: string, value: string) => attribute(name, 'secret', { secret: value });
export const file = (name: string, bytes: Uint8Array | string) =>
  attribute(name, 'file', { content: Buffer.from(bytes).toString('base64'), fileName: 'key', mimeType: '' });

export const signatureAttributes = (values: { scheme?: string; digest?: string }): RequestAttributeDto[] => [
  ...(values.scheme === undefined ? [] : [text(SIGNATURE_ATTRIBUTES.scheme.name, values.scheme)]),
  ...(values.digest === undefined ? [] : [text(SIGNATURE_ATTRIBUTES.digest.name, values.digest)]),
];

export const cipherAttributes = (values: { scheme: string; digest?: string; mgf?: boolean }): RequestAttributeDto[] => [
  text(CIPHER_ATTRIBUTES.scheme.name, values.scheme),
  ...(values.digest === undefined ? [] : [text(CIPHER_ATTRIBUTES.oaepDigest.name, values.digest)]),
  ...(values.mgf === undefined ? [] : [flag(CIPHER_ATTRIBUTES.oaepMgf.name, values.mgf)]),
];

// ---- calls ----

export const CODE = 'correct horse battery staple';

export interface TokenFacts {
  readonly name?: string;
  readonly code?: string;
  readonly staysActive?: boolean;
  readonly allowsImport?: boolean;
  readonly idempotencyKey?: string;
}

export async function createToken(call: CallConnector, facts: TokenFacts = {}): Promise<string> {
  const { name = 'token', code = CODE, staysActive = false, allowsImport = false, idempotencyKey } = facts;
  const attributes = [
    secret(TOKEN.code, code),
    flag(TOKEN.staysActive, staysActive),
    flag(TOKEN.allowsImport, allowsImport),
  ];
  const body = { name, kind: KIND, attributes };
  return (await call(operations.createTokenInstance, { body, idempotencyKey })).uuid;
}

export const activate = (call: CallConnector, uuid: string, code = CODE): Promise<unknown> =>
  call(operations.activateTokenInstance, { params: { uuid }, body: [secret(TOKEN.code, code)] });

export const deactivate = (call: CallConnector, uuid: string): Promise<unknown> =>
  call(operations.deactivateTokenInstance, { params: { uuid } });

export const statusOf = (call: CallConnector, uuid: string) =>
  call(operations.getTokenInstanceStatus, { params: { uuid } });

export interface PairFacts {
  readonly specification?: string;
  readonly alias?: string;
  readonly idempotencyKey?: string | undefined;
}

export function createPair(call: CallConnector, token: string, facts: PairFacts = {}) {
  const { specification = 'P-256', alias = specification, idempotencyKey } = facts;
  const createKeyAttributes = [text(KEY.alias, alias), text(KEY.specification, specification)];
  const body = { tokenProfileAttributes: [], createKeyAttributes };
  return call(operations.createKeyPair, { params: { uuid: token }, body, idempotencyKey });
}

/** `values` contains the file, its password and any other attributes. */
export function importPair(call: CallConnector, token: string, values: readonly RequestAttributeDto[]) {
  const body = { tokenProfileAttributes: [], createKeyAttributes: [...values] };
  return call(operations.createKeyPair, { params: { uuid: token }, body });
}

export async function createSecret(call: CallConnector, token: string, specification: string): Promise<string> {
  const createKeyAttributes = [text(KEY.alias, specification), text(KEY.secretSpecification, specification)];
  const body = { tokenProfileAttributes: [], createKeyAttributes };
  return (await call(operations.createSecretKey, { params: { uuid: token }, body })).uuid;
}

interface KeyCall {
  readonly token: string;
  readonly key: string;
  readonly attributes?: readonly RequestAttributeDto[];
}

const params = ({ token, key }: KeyCall) => ({ uuid: token, keyUuid: key });
const base64 = (octets: Uint8Array | string): string => Buffer.from(octets).toString('base64');

export async function sign(call: CallConnector, facts: KeyCall & { readonly data: Uint8Array }): Promise<Buffer> {
  const body = { signatureAttributes: [...(facts.attributes ?? [])], data: [{ data: base64(facts.data) }] };
  const { signatures } = await call(operations.signData, { params: params(facts), body });
  return Buffer.from(signatures[0]?.data ?? '', 'base64');
}

export async function verify(
  call: CallConnector,
  facts: KeyCall & { readonly data: Uint8Array; readonly signature: Uint8Array },
): Promise<boolean | undefined> {
  const body = {
    signatureAttributes: [...(facts.attributes ?? [])],
    data: [{ data: base64(facts.data) }],
    signatures: [{ data: base64(facts.signature) }],
  };
  return (await call(operations.verifyData, { params: params(facts), body })).verifications[0]?.result;
}

export async function encrypt(call: CallConnector, facts: KeyCall & { readonly data: Uint8Array }): Promise<Buffer> {
  const body = { cipherAttributes: [...(facts.attributes ?? [])], cipherData: [{ data: base64(facts.data) }] };
  const { encryptedData } = await call(operations.encryptData, { params: params(facts), body });
  return Buffer.from(encryptedData[0]?.data ?? '', 'base64');
}

export async function decrypt(call: CallConnector, facts: KeyCall & { readonly data: Uint8Array }): Promise<Buffer> {
  const body = { cipherAttributes: [...(facts.attributes ?? [])], cipherData: [{ data: base64(facts.data) }] };
  const { decryptedData } = await call(operations.decryptData, { params: params(facts), body });
  return Buffer.from(decryptedData[0]?.data ?? '', 'base64');
}

export const destroy = (call: CallConnector, facts: KeyCall): Promise<unknown> =>
  call(operations.destroyKey, { params: params(facts) });

/** Returns the status and message of a rejection. */
export async function rejectionOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer;
  } catch (error) {
    if (isConnectorError(error)) return `${error.status}: ${error.message}`;
    throw error;
  }
  return 'not refused';
}
