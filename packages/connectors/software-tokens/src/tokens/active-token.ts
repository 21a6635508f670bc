// A token that is active in this process: its data key, and the keys that were opened with it.
import { LRUCache } from 'lru-cache';
import { rejected, type ConnectorContext } from '@signetry/connector-sdk';
import { materialPurpose, unattendedDataKeyPurpose } from '../declaration.ts';
import type { OpenKey } from '../keys/open-key.ts';
import { decrypt, encrypt } from '../octets.ts';
import type { TokenVersion } from './token-store.ts';

/** Keys of one token that are kept open: native memory, some KiB each. */
const MAX_OPEN_KEYS = 1_000;

export class ActiveToken {
  readonly uuid: string;
  readonly keys = new LRUCache<string, OpenKey>({ max: MAX_OPEN_KEYS });
  /** Keys that are being opened, so that concurrent calls do it once. */
  readonly opening = new Map<string, Promise<OpenKey>>();
  /** Changes whenever a key that was in use may have been destroyed. */
  stamp = 0;
  /** On the clock of `performance.now()`, which nobody sets. */
  leasedUntil = -Infinity;
  renewal: Promise<void> | undefined;
  isClosed = false;
  /** Of the version at the last look at the database. */
  revision: string | undefined;
  readonly deactivations: string;
  private readonly dataKey: Buffer;

  /** Takes over `dataKey` and overwrites it in the end. */
  constructor(uuid: string, dataKey: Buffer, { deactivations }: Pick<TokenVersion, 'deactivations'>) {
    this.uuid = uuid;
    this.dataKey = dataKey;
    this.deactivations = deactivations;
  }

  get isLeased(): boolean {
    return !this.isClosed && performance.now() < this.leasedUntil;
  }

  sealMaterial(key: string, material: Uint8Array): Uint8Array {
    return encrypt(this.openedKey(), material, materialPurpose(this.uuid, key));
  }

  /** The caller overwrites the answer. */
  openMaterial(key: string, sealed: Uint8Array): Buffer {
    const material = decrypt(this.openedKey(), sealed, materialPurpose(this.uuid, key));
    if (!material) throw new Error(`The material of key ${key} was changed in the database.`);
    return material;
  }

  /** Seals the data key so that it opens without the code. */
  sealUnattended({ seal }: Pick<ConnectorContext, 'seal'>): Uint8Array {
    return seal(this.openedKey(), unattendedDataKeyPurpose(this.uuid));
  }

  forgetKeys(): void {
    this.stamp += 1;
    this.keys.clear();
    this.opening.clear();
  }

  close(): void {
    this.isClosed = true;
    this.forgetKeys();
    this.dataKey.fill(0);
  }

  /** An overwritten key must not encrypt anything. */
  private openedKey(): Buffer {
    if (this.isClosed) throw deactivated();
    return this.dataKey;
  }
}

export const deactivated = () =>
  rejected(
    'The token is deactivated. Activate it with its activation code; after a restart too, unless it stays active.',
  );
