// Activation codes: their rules, and the encryption of a data key under a code. scrypt (RFC 7914) with 64 MiB makes a
// guess cost a fifth of a second and as much memory; its parameters are stored with each token, so that they can rise.
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { ConnectorContext } from '@signetry/connector-sdk';
import { dataKeyPurpose, wrappedDataKeyPurpose } from '../declaration.ts';
import { decrypt, encrypt } from '../octets.ts';

export const MIN_CODE_CHARACTERS = 8;
/** What is longer is no code that a person enters. */
const MAX_CODE_CHARACTERS = 1024;

/** What is wrong with a code that is to be set. */
export function codeProblems(code: string): string[] {
  const characters = [...code];
  if (characters.length < MIN_CODE_CHARACTERS)
    return [`The activation code has ${characters.length} characters; it needs ${MIN_CODE_CHARACTERS}.`];
  if (characters.length > MAX_CODE_CHARACTERS)
    return [`The activation code has more than ${MAX_CODE_CHARACTERS} characters.`];
  if (new Set(characters).size === 1) return ['The activation code is one character repeated.'];
  return [];
}

/** Columns of a token that its code opens. */
export interface CodeColumns {
  readonly code_salt: Uint8Array;
  readonly code_cost: number;
  readonly code_block_size: number;
  readonly code_parallelization: number;
  readonly sealed_data_key: Uint8Array;
}

/** Of codes that are set from now on. */
export type CodeCost = Pick<CodeColumns, 'code_cost' | 'code_block_size' | 'code_parallelization'>;
export const CODE_COST: CodeCost = { code_cost: 2 ** 16, code_block_size: 8, code_parallelization: 1 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

function keyOf(code: string, columns: Omit<CodeColumns, 'sealed_data_key'>): Promise<Buffer> {
  const { code_salt, code_cost: N, code_block_size: r, code_parallelization: p } = columns;
  // The same code typed on another keyboard may be composed of other characters.
  return derive(code.normalize('NFC'), code_salt, KEY_BYTES, { N, r, p, maxmem: 160 * N * r });
}

type Sealing = Pick<ConnectorContext, 'seal' | 'open'>;

/** Encrypts the data key of a token under a code, then seals it: who has only the database cannot even guess codes. */
export async function closeWithCode(
  { seal }: Sealing,
  token: { readonly uuid: string; readonly code: string; readonly dataKey: Uint8Array },
  cost: CodeCost,
): Promise<CodeColumns> {
  const columns = { ...cost, code_salt: randomBytes(SALT_BYTES) };
  const key = await keyOf(token.code, columns);
  const wrapped = encrypt(key, token.dataKey, wrappedDataKeyPurpose(token.uuid));
  key.fill(0);
  return { ...columns, sealed_data_key: seal(wrapped, dataKeyPurpose(token.uuid)) };
}

/** The data key, or nothing where the code is wrong. */
export async function openWithCode(
  { open }: Sealing,
  token: CodeColumns & { readonly uuid: string },
  code: string,
): Promise<Buffer | undefined> {
  const wrapped = open(token.sealed_data_key, dataKeyPurpose(token.uuid));
  const key = await keyOf(code, token);
  const dataKey = decrypt(key, wrapped, wrappedDataKeyPurpose(token.uuid));
  key.fill(0);
  return dataKey;
}

export const newDataKey = (): Buffer => randomBytes(KEY_BYTES);
