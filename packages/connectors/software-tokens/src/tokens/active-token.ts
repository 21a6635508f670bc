// A token that is active in this process: its data key, and the keys decrypted with it.
import { LRUCache } from 'lru-cache';
import { rejected, type ConnectorContext } from '@signetry/connector-sdk';
import { materialPurpose, unattendedDataKeyPurpose } from '../declaration.ts';
import type { OpenKey } from '../keys/open-key.ts';
import { decrypt, encrypt } from '../octets.ts';
import type { TokenVersion } from './token-store.ts';

/** Maximum number of decrypted keys per token; each uses a few KiB of native memory. */
const MAX_OPEN_KEYS = 1_000;

export class ActiveToken {
  readonly uuid: string;
  readonly keys = new LRUCache<string, OpenKey>({ max: MAX_OPEN_KEYS });
  /** Keys that are being loaded, so that concurrent calls load them once. */
  readonly opening = new Map<string, Promise<OpenKey>>();
  /** Changes whenever a key in use may have been destroyed. */
  stamp = 0;
  /** Measured with `performance.now()`, which is not affected by clock changes. */
  leasedUntil = -Infinity;
  renewal: Promise<void> | undefined;
  isClosed = false;
  /** Version that the last database check returned. */
  revision: string | undefined;
  readonly deactivations: string;
  private readonly dataKey: Buffer;

  /** Takes ownership of `dataKey`, which is overwritten on close. */
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

  /** Returns the decrypted key material. The caller overwrites it after use. */
  openMaterial(key: string, sealed: Uint8Array): Buffer {
    const material = decrypt(this.openedKey(), sealed, materialPurpose(this.uuid, key));
    if (!material) throw new Error(`The material of key ${key} was modified in the database.`);
    return material;
  }

  /** Seals the data key so that it can be used without the activation code. */
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

  /** Returns the data key unless it was overwritten: an overwritten key must not encrypt anything. */
  private openedKey(): Buffer {
    if (this.isClosed) throw deactivatedError();
    return this.dataKey;
  }
}

export const deactivatedError = () =>
  rejected(
    'The token is deactivated. Activate it with its activation code; this is also required after a restart, unless the token stays active.',
  );
