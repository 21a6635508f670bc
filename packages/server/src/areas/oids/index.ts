// Names that administrators define for object identifiers: attribute types in distinguished names with their codes,
// extended key usages, extensions and others. Owns: oid_entry. Invariants: an OID has at most one entry, and none if it
// has a built-in name; a code identifies a single attribute type, regardless of case.
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { namesOf, type OidNames } from './oid-names.ts';
import { oidRoutes } from './routes.ts';
import { createOidService } from './service.ts';
import { findAll } from './store.ts';

export type { OidNames } from './oid-names.ts';

/** Called in the transaction that changes these attribute types' codes. */
export type CodesChanged = (tx: Executor, oids: readonly string[]) => Promise<void>;

export interface Oids {
  /**
   * Returns the current names. Changes are visible immediately on the node that made them, and within 5 s on other
   * nodes.
   */
  names(): Promise<OidNames>;
  /** Returns the names visible in a transaction. */
  readNames(tx: Executor): Promise<OidNames>;
  /** Registers an area that stores distinguished names as text. */
  registerNameHolder(onCodesChanged: CodesChanged): void;
}

export function createOidsArea(platform: Platform, { audit }: { readonly audit: AuditTrail }): Area & Oids {
  const holders: CodesChanged[] = [];
  const readNames = async (executor: Executor) => namesOf(await findAll(executor));
  const known = createExpiringCache({
    clock: platform.clock,
    load: (_only: 'names') => readNames(platform.database.executor),
  });
  const service = createOidService(platform, {
    audit,
    onCodesChanged: async (tx, oids) => {
      for (const tell of holders) await tell(tx, oids);
    },
    onChanged: () => known.invalidate(),
  });
  return {
    routes: oidRoutes(service),
    names: () => known.get('names'),
    readNames,
    registerNameHolder: (onCodesChanged) => void holders.push(onCodesChanged),
  };
}
