// Keys in tokens: created, listed, used under conditions, destroyed. Owns: key, key_item, key_item_count, key_event.
// Invariants: names are unique; secret and private keys are never stored here; nothing is signed or decrypted with an
// item that is not active and enabled; a key is reported as destroyed only after its provider has destroyed it and
// everything signed with it has been returned; counters match the items.
//
// create-key.ts, destroy-items.ts         creates a key in a token, and destroys it
// use-key.ts, store-use.ts                whether a key can currently be used, and the record of each use
// cryptographic-operations.ts             signs, verifies, encrypts, decrypts, and generates random data
// mechanism-attributes.ts                 signature and encryption schemes that a caller can choose
// key-state.ts, change-items.ts           states and usages of a key: enabled, disabled, compromised
// export-key.ts                           exports private keys that were created as exportable
// edit-key.ts                             name, groups, owner and token profile of a key
// sync-keys.ts, provider-keys.ts          imports existing keys from a token, as its provider reports them
// access.ts, store-visible.ts             which keys a caller can see and change
// signing-keys.ts, signing-key-source.ts  keys that sign for other areas, and which ones a caller can choose
// token-keys.ts, associations.ts          keys for built-in connectors; certificates and authorities that use a key
// counters.ts, store-counts.ts            number of keys, counted and repaired
// reads.ts, search-fields.ts              lists, details, histories and filters; queries: store-list.ts
// checked-keys.ts, store-checked.ts       keys for compliance checks
// store.ts, store-events.ts, tables.ts    queries for keys and their histories, and rows
// routes.ts, present.ts                   operations and their responses
import type { TokenKeys } from '@signetry/connector-sdk';
import type { KeyDto, KeyRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform, RetentionPolicy } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { KeyExports } from '../connectors/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { createKeyAssociations, type KeyUsers } from './associations.ts';
import { createKeyCounters } from './counters.ts';
import { createCheckedKeys, type CheckedKeys } from './checked-keys.ts';
import { createCryptographicOperations } from './cryptographic-operations.ts';
import { createKey, type KeyCreationPath } from './create-key.ts';
import { destroyItems } from './destroy-items.ts';
import { exportKey, type KeyExport } from './export-key.ts';
import { ownerPrivileges } from '../identity/index.ts';
import type { Users } from './ports.ts';
import { createKeyReads } from './reads.ts';
import { keyRoutes } from './routes.ts';
import { createSigningKeySource } from './signing-key-source.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';
import { removeOldEvents } from './store-events.ts';
import { findNamed } from './store-list.ts';
import { findContained, findByPublicKey, keys, ownsAny } from './store.ts';
import { createTokenKeys } from './token-keys.ts';
import { createKeyUser } from './use-key.ts';

export { evaluatedKeys } from './search-fields.ts';
export type { CheckedKeyItem, CheckedKeys } from './checked-keys.ts';
export type { KeyUsers } from './associations.ts';
export { creationForms } from './create-key.ts';
export type { ExportedKey } from './export-key.ts';
export type { SignatureForm, SigningKey, SigningKeys } from './signing-keys.ts';

/** Key operations for other areas. */
export interface Keys {
  readonly signing: SigningKeys;
  /** Same as `signing`, for built-in connectors, on behalf of the platform. */
  readonly tokenKeys: TokenKeys;
  /** Finds the key with this public key: SHA-256 of the SubjectPublicKeyInfo in lowercase hex. */
  findByPublicKey(fingerprint: string): Promise<KeyDto | undefined>;
  /** Creates a key for a caller, whose permissions have been checked; returns its identifier. */
  create(path: KeyCreationPath, request: KeyRequestDto, context: RequestContext): Promise<string>;
  /**
   * Destroys both halves of a pair. Rejects the request (422 with the reason) if the key is in use or if its token does
   * not destroy it.
   */
  destroy(keyUuid: string, context: RequestContext): Promise<void>;
  registerUsers(users: KeyUsers): void;
  /**
   * Exports the private key with this public key; checks the caller's permissions. Throws 422 with the reason if it
   * cannot be exported.
   */
  exportKey<Result>(fingerprint: string, exporting: KeyExport<Result>): Promise<Result>;
  /** Keys for compliance checks. */
  readonly checked: CheckedKeys;
}

export function createKeysArea(
  platform: Platform,
  areas: {
    readonly audit: AuditTrail;
    readonly attributes: AttributeEngine;
    readonly connectors: KeyExports;
    readonly tokens: Tokens;
    readonly users: Users;
  },
): Area & Keys {
  const { executor } = platform.database;
  const associations = createKeyAssociations();
  const counters = createKeyCounters(platform);
  const reads = createKeyReads(platform, { ...areas, associations });
  const user = createKeyUser({ platform, audit: areas.audit });
  const operations = createCryptographicOperations({ platform, ...areas, user });
  const signing = createSigningKeys(platform, { operations });
  areas.users.registerPowers(ownerPrivileges('keys', ownsAny));
  areas.attributes.registerSigningKeySource(createSigningKeySource(platform));

  return {
    routes: keyRoutes({ platform, ...areas, associations, reads, operations }),
    objectNames: { keys: keys.findNames },
    belongings: { keys: findContained },
    derivedData: [counters.derivedData],
    retentionPolicies: [retention],
    start: async () => counters.start(),
    stop: () => counters.stop(),
    signing,
    tokenKeys: createTokenKeys({ signing, tokens: areas.tokens }),
    findByPublicKey: async (fingerprint) => {
      const found = await findByPublicKey(executor, fingerprint);
      const [key] = found ? await reads.presentKeys(await findNamed(executor, [found.uuid])) : [];
      return key;
    },
    create: (path, request, context) => createKey({ platform, ...areas }, path, request, context),
    destroy: (uuid, context) =>
      destroyItems({ platform, ...areas, associations }, { key: { uuid }, items: [] }, { ending: 'destroy', context }),
    registerUsers: associations.register,
    exportKey: (fingerprint, exporting) => exportKey({ platform, ...areas }, fingerprint, exporting),
    checked: createCheckedKeys(platform),
  };
}

const retention: RetentionPolicy = {
  setting: 'keyEventsKeptDays',
  what: 'key history entries',
  tables: ['key_event'],
  remove: removeOldEvents,
};
