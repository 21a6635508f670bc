// End entity passwords. Only a slow, salted hash is stored, in a text that includes its parameters.
import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { rejected, type ConnectorContext } from '@signetry/connector-sdk';

interface Cost {
  /** Base-2 logarithm of the number of memory blocks. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** scrypt parameters (RFC 7914) that require 32 MiB and 0.25 s on an ordinary machine. */
const COST: Cost = { logN: 15, r: 8, p: 3 };
const SALT_LENGTH = 16;
const HASH_LENGTH = 32;
/** A longer password is almost certainly a mistake. */
const MAX_LENGTH = 1_024;

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

export async function hashPassword(password: string, randomBytes: ConnectorContext['randomBytes']): Promise<string> {
  if (password.length > MAX_LENGTH) throw rejected(`The password is longer than ${MAX_LENGTH} characters.`);
  const salt = randomBytes(SALT_LENGTH);
  const hash = await hashOf(password, salt, COST);
  return ['scrypt', COST.logN, COST.r, COST.p, base64(salt), base64(hash)].join('$');
}

export async function isPassword(password: string, kept: string): Promise<boolean> {
  const [, logN, r, p, salt = '', hash = ''] = kept.split('$');
  if (password.length > MAX_LENGTH) return false;
  const given = await hashOf(password, Buffer.from(salt, 'base64'), { logN: Number(logN), r: Number(r), p: Number(p) });
  return timingSafeEqual(given, Buffer.from(hash, 'base64'));
}

const hashOf = (password: string, salt: Uint8Array, { logN, r, p }: Cost): Promise<Buffer> =>
  derive(password.normalize('NFC'), salt, HASH_LENGTH, { N: 2 ** logN, r, p, maxmem: 2 ** (logN + 8) * r });

const base64 = (octets: Uint8Array): string => Buffer.from(octets).toString('base64');
