// Removing ACME profiles, with everything that is below them. A profile that is activated on RA profiles goes by force
// only, which takes it from them; certificates stay in any case.
import type { BulkActionMessageDto } from '@signetry/contract';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound, rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import * as activations from './store-activations.ts';
import { activationHolder, noAttributes, type CertificateAttributes } from './certificate-attributes.ts';
import type { AcmeActivationRow, AcmeProfileRow } from './tables.ts';
import type { AcmeProfileDependants } from './dependants.ts';
import * as store from './store.ts';

export interface RemovalParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: RaProfiles;
  readonly certificateAttributes: CertificateAttributes;
  readonly dependants: readonly AcmeProfileDependants[];
  /** Called after a change was committed. */
  readonly onChange: () => void;
}

interface RemovalOptions {
  readonly context: RequestContext;
  /** Takes the profile from the RA profiles that it is activated on. */
  readonly force: boolean;
}

/** A profile that stays, with the activations that keep it. */
interface Kept {
  readonly row: AcmeProfileRow;
  readonly activations: readonly AcmeActivationRow[];
}

export type AcmeProfileRemoval = ReturnType<typeof createAcmeProfileRemoval>;

export function createAcmeProfileRemoval({ database }: Platform, parts: RemovalParts) {
  const { audit, attributes, raProfiles, certificateAttributes, dependants, onChange } = parts;

  async function remove(uuid: string, context: RequestContext): Promise<void> {
    const { removed, kept } = await removeUnlessKept([uuid], { context, force: false });
    const [reason] = await describe(kept);
    if (reason) throw rejected(reason.message);
    if (removed.length === 0) throw notFound('ACME profile', uuid);
  }

  /** Answers the profiles that were not removed, each with the reason. Unknown ones are gone already. */
  async function removeMany(uuids: readonly string[], options: RemovalOptions): Promise<BulkActionMessageDto[]> {
    return describe((await removeUnlessKept(uuids, options)).kept);
  }

  async function removeUnlessKept(
    uuids: readonly string[],
    { context, force }: RemovalOptions,
  ): Promise<{ removed: readonly AcmeProfileRow[]; kept: readonly Kept[] }> {
    const result = await database.transaction(async (tx) => {
      const rows = await store.lockMany(tx, uuids);
      const found = await activations.findOfProfiles(
        tx,
        rows.map(({ uuid }) => uuid),
      );
      const kept = force
        ? []
        : rows.flatMap((row) => {
            const own = found.filter(({ acme_profile_uuid }) => acme_profile_uuid === row.uuid);
            return own.length === 0 ? [] : [{ row, activations: own }];
          });
      const removed = rows.filter((row) => !kept.some((stays) => stays.row === row));
      if (force) await detach(tx, found);
      if (removed.length > 0) await take(tx, removed, context);
      return { removed, kept };
    });
    onChange();
    return result;
  }

  async function detach(tx: Executor, rows: readonly AcmeActivationRow[]): Promise<void> {
    for (const row of rows) await certificateAttributes.replace(tx, activationHolder(row), noAttributes);
  }

  async function take(tx: Executor, rows: readonly AcmeProfileRow[], context: RequestContext): Promise<void> {
    const uuids = rows.map(({ uuid }) => uuid);
    for (const dependant of dependants) await dependant.onAcmeProfilesRemoved(tx, uuids);
    await attributes.removeObjects(tx, 'acmeProfiles', uuids);
    await store.remove(tx, uuids);
    await audit.append(tx, context, { objects: rows.map(({ uuid, name }) => ({ uuid, name })) });
  }

  async function describe(kept: readonly Kept[]): Promise<BulkActionMessageDto[]> {
    const used = kept.flatMap((stays) => stays.activations.map(({ ra_profile_uuid: uuid }) => uuid));
    const names = new Map((await raProfiles.findMany(used)).map(({ uuid, name }) => [uuid, name]));
    return kept.map(({ row, activations: own }) => {
      const dependants = own.map(({ ra_profile_uuid: uuid }) => names.get(uuid) ?? uuid).toSorted();
      const message = `Dependent RA Profiles (${dependants.length}): ${dependants.join(', ')}`;
      return { uuid: row.uuid, name: row.name, message };
    });
  }

  return { remove, removeMany };
}
