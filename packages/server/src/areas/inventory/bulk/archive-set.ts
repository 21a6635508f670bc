// Archives and unarchives certificates. Archived certificates are excluded from lists and statistics unless requested,
// background jobs skip them, and they cannot be changed until they are unarchived.
import type { RequestContext } from '../../../kernel/actor.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { recordEvent, type Issuers, type Users } from '../../certificates/index.ts';
import type { SetOutcome, SetHooks } from './change-many.ts';
import { lockRows, setArchived } from '../certificate/store-changes.ts';

export interface ArchiverParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly issuers: Issuers;
  readonly users: Pick<Users, 'forgetCertificates'>;
}

export interface ArchiveSet {
  readonly archived: boolean;
  readonly uuids: readonly string[];
  readonly context: RequestContext;
}

export function createArchiver(parts: ArchiverParts) {
  const { platform, issuers, users } = parts;

  /**
   * Runs in one transaction. Certificates that are already in the requested state stay unchanged but are reported as
   * done.
   */
  async function archiveSet(set: ArchiveSet, within?: SetHooks): Promise<SetOutcome> {
    const outcome = await platform.database.transaction(async (tx) => {
      const uuids = within ? await within.begin(tx, set.uuids) : set.uuids;
      const done = await archive(tx, parts, { ...set, uuids });
      await within?.end(tx, done);
      return done;
    });
    // An archived CA certificate is not used to issue, and an archived certificate cannot be used to sign in.
    issuers.forget();
    users.forgetCertificates();
    return outcome;
  }

  return {
    archiveSet,
    async archiveOne(uuid: string, archived: boolean, context: RequestContext): Promise<void> {
      const { refused } = await archiveSet({ archived, uuids: [uuid.toLowerCase()], context });
      for (const { error } of refused) throw error;
    },
  };
}

async function archive(
  tx: Executor,
  { platform, audit }: ArchiverParts,
  { archived, uuids, context }: ArchiveSet,
): Promise<SetOutcome> {
  const rows = await lockRows(tx, uuids);
  const found = new Set(rows.map(({ uuid }) => uuid));
  const refused = uuids
    .filter((uuid) => !found.has(uuid))
    .map((uuid) => ({ uuid, name: null, error: notFound('Certificate', uuid) }));
  const moved = rows.filter((row) => row.archived !== archived);
  if (moved.length > 0) {
    const at = platform.clock.now();
    await setArchived(
      tx,
      moved.map(({ uuid }) => uuid),
      { archived, at },
    );
    await recordEvent(tx, { audit, context, at }, {
      operation: archived ? 'archive' : 'unarchive',
      history: moved.map(({ uuid }) => ({
        certificate_uuid: uuid,
        event: archived ? 'Archive certificate' : 'Unarchive certificate',
        status: 'SUCCESS',
        message: archived ? 'Certificate archived' : 'Certificate unarchived',
      })),
      objects: moved.map(({ uuid, common_name }) => ({ uuid, name: common_name })),
    }); // prettier-ignore
  }
  return { done: rows.map(({ uuid }) => uuid), refused };
}
