// The connector on a database and on SoftHSM, and shared calls for tests.
import { randomBytes } from 'node:crypto';
import {
  createPostgresStorage,
  createSealing,
  inProcess,
  schemaNameOf,
  startConnector,
  type CallConnector,
  type ConnectorContext,
  type RunningConnector,
} from '@signetry/connector-sdk';
import { cryptographyProviderOperations as operations, type RequestAttributeDto } from '@signetry/contract';
import { testDatabaseWithConnection } from '@signetry/testkit/database';
import pg from 'pg';
import { afterAll } from 'vitest';
import { pkcs11Tokens } from '../index.ts';
import { openSoftHsm, SOFT_HSM, type SoftHsm } from './soft-hsm.ts';
import { keyValues, pinValues, tokenValues } from './token-values.ts';

export interface LogLine {
  readonly facts: object;
  readonly message: string;
}

export interface TestTokens {
  readonly softHsm: SoftHsm;
  readonly context: ConnectorContext;
  readonly running: RunningConnector;
  readonly call: CallConnector;
  readonly pool: pg.Pool;
  readonly log: LogLine[];
  /** Starts the connector again on the same tables, as a second node or after a restart. */
  again(changes?: Partial<ConnectorContext>): Promise<Pick<TestTokens, 'running' | 'call'>>;
}

export async function startTestTokens(): Promise<TestTokens> {
  const softHsm = await openSoftHsm();
  const { connection } = await testDatabaseWithConnection();
  const pool = new pg.Pool({ ...connection, max: 4 });
  pool.on('error', () => undefined); // Dropping the database closes its connections.
  const log: LogLine[] = [];
  const note = (facts: object, message: string) => void log.push({ facts, message });
  const context: ConnectorContext = {
    storage: createPostgresStorage(pool, { schema: schemaNameOf(pkcs11Tokens) }),
    ...createSealing(randomBytes(32)),
    clock: { now: () => new Date() },
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
    log: { debug: note, info: note, warn: note, error: note },
    libraries: { softhsm: SOFT_HSM },
  };
  const started: RunningConnector[] = [];
  const again: TestTokens['again'] = async (changes = {}) => {
    const running = await startConnector(pkcs11Tokens, { ...context, ...changes });
    started.push(running);
    return { running, call: inProcess(running, { checkAnswers: true }) };
  };
  afterAll(async () => {
    await Promise.all(started.map((each) => each.stop?.()));
    await pool.end();
    await softHsm.remove();
  });
  return { softHsm, context, pool, log, again, ...(await again()) };
}

export interface ReadyToken {
  readonly uuid: string;
  readonly serial: string;
  readonly label: string;
  readonly pin: string;
}

let count = 0;

/** Creates and registers a new token, active unless specified otherwise. */
export async function addToken(
  { softHsm, call }: TestTokens,
  { staysActive = false, isActive = true }: { readonly staysActive?: boolean; readonly isActive?: boolean } = {},
): Promise<ReadyToken> {
  count += 1;
  const [label, pin] = [`Test token ${count}`, `pin-${randomBytes(6).toString('hex')}`];
  const serial = await softHsm.initToken(label, pin);
  const body = { name: `Token ${count}`, kind: 'PKCS11', attributes: tokenValues(serial, label) };
  const { uuid } = await call(operations.createTokenInstance, { body });
  if (isActive) await call(operations.activateTokenInstance, { params: { uuid }, body: pinValues(pin, staysActive) });
  return { uuid, serial, label, pin };
}

export const makePair = (
  call: CallConnector,
  { uuid }: ReadyToken,
  [alias, algorithm, ...uses]: [string, string, ...string[]],
) =>
  call(operations.createKeyPair, {
    params: { uuid },
    body: { tokenProfileAttributes: [], createKeyAttributes: keyValues(alias, algorithm, ...uses) },
  });

export async function sign(
  call: CallConnector,
  { uuid }: ReadyToken,
  { keyUuid, data, how }: { readonly keyUuid: string; readonly data: Uint8Array; readonly how: RequestAttributeDto[] },
): Promise<Uint8Array> {
  const body = { signatureAttributes: how, data: [{ data: Buffer.from(data).toString('base64') }] };
  const { signatures } = await call(operations.signData, { params: { uuid, keyUuid }, body });
  return Buffer.from(signatures[0]?.data ?? '', 'base64');
}

export const statusOf = (call: CallConnector, { uuid }: ReadyToken) =>
  call(operations.getTokenInstanceStatus, { params: { uuid } });
