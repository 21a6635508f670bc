// Activation codes: their rules, and encryption of a data key under a code. scrypt (RFC 7914) with 64 MiB makes each
// guess cost 0.2 s and that much memory. Its parameters are stored with each token, so that they can be raised.
import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { ConnectorContext } from '@signetry/connector-sdk';
import { dataKeyPurpose, wrappedDataKeyPurpose } from '../declaration.ts';
import { decrypt, encrypt } from '../octets.ts';

export const MIN_CODE_CHARACTERS = 8;
/** No user enters a longer code. */
const MAX_CODE_CHARACTERS = 1024;

/** Returns the problems with a new code. */
export function codeProblems(code: string): string[] {
  const characters = [...code];
  if (characters.length < MIN_CODE_CHARACTERS)
    return [`The activation code must have at least ${MIN_CODE_CHARACTERS} characters, not ${characters.length}.`];
  if (characters.length > MAX_CODE_CHARACTERS)
    return [`The activation code must not exceed ${MAX_CODE_CHARACTERS} characters.`];
  if (new Set(characters).size === 1) return ['The activation code must not consist of one repeated character.'];
  return [];
}

/** Token columns that are needed to decrypt the data key with an activation code. */
export interface CodeColumns {
  readonly code_salt: Uint8Array;
  readonly code_cost: number;
  readonly code_block_size: number;
  readonly code_parallelization: number;
  readonly sealed_data_key: Uint8Array;
}

/** Cost parameters for new codes. */
export type CodeCost = Pick<CodeColumns, 'code_cost' | 'code_block_size' | 'code_parallelization'>;
export const CODE_COST: CodeCost = { code_cost: 2 ** 16, code_block_size: 8, code_parallelization: 1 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

function keyOf(code: string, columns: Omit<CodeColumns, 'sealed_data_key'>): Promise<Buffer> {
  const { code_salt, code_cost: N, code_block_size: r, code_parallelization: p } = columns;
  // Normalized because different keyboards may compose the same code from different characters.
  return derive(code.normalize('NFC'), code_salt, KEY_BYTES, { N, r, p, maxmem: 160 * N * r });
}

type SealingContext = Pick<ConnectorContext, 'seal' | 'open'>;

/**
 * Encrypts a token's data key under a code and then seals it, so that codes cannot be guessed with access to the
 * database alone.
 */
export async function closeWithCode(
  { seal }: SealingContext,
  token: { readonly uuid: string; readonly code: string; readonly dataKey: Uint8Array },
  cost: CodeCost,
): Promise<CodeColumns> {
  const columns = { ...cost, code_salt: randomBytes(SALT_BYTES) };
  const key = await keyOf(token.code, columns);
  const wrapped = encrypt(key, token.dataKey, wrappedDataKeyPurpose(token.uuid));
  key.fill(0);
  return { ...columns, sealed_data_key: seal(wrapped, dataKeyPurpose(token.uuid)) };
}

/** Returns the data key, or undefined if the code is incorrect. */
export async function openWithCode(
  { open }: SealingContext,
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
