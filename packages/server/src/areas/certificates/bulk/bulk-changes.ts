// The changes of many certificates that people ask for: assignments, the archive, and how far they are.
import type { MultipleCertificateObjectUpdateDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { rejected } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { filtersOf, type FindMatched } from '../inventory/delete.ts';
import type { UpdateParts } from '../inventory/update.ts';
import { createArchiver, type ArchiverParts } from './archive-set.ts';
import { createManyChanges } from './change-many.ts';
import { updateSet, wantedByAll } from './update-set.ts';

/** A list in one request; more are asked for by filters. */
const MAX_LISTED = 100_000;

export interface BulkChangeParts extends UpdateParts, ArchiverParts {
  readonly users: UpdateParts['users'] & ArchiverParts['users'];
  readonly findMatched: FindMatched;
}

export function createBulkChanges(parts: BulkChangeParts) {
  const archiver = createArchiver(parts);
  const changes = createManyChanges(parts.platform, {
    update: (set, within) => updateSet(parts, set, within),
    archive: (set, within) => archiver.archiveSet({ ...set, archived: true }, within),
    unarchive: (set, within) => archiver.archiveSet({ ...set, archived: false }, within),
  });
  return {
    archiveOne: archiver.archiveOne,

    /** Refuses at once what no certificate could be given. */
    async updateMany(request: MultipleCertificateObjectUpdateDto, context: RequestContext): Promise<void> {
      const { certificateUuids = [], ...asked } = request;
      const { filters, raProfileUuid } = asked;
      const wanted = filtersOf({ uuids: certificateUuids, filters }, 'update');
      await wantedByAll(parts, asked);
      if (raProfileUuid) await parts.raProfiles.forIssuingByUuid(raProfileUuid.toLowerCase());
      const uuids = wanted ? (await parts.findMatched(wanted, context, 'update')).uuids : listed(certificateUuids);
      await changes.start({ kind: 'update', asked, uuids }, context);
    },

    archiveMany: (uuids: readonly string[], archived: boolean, context: RequestContext): Promise<void> =>
      changes.start({ kind: archived ? 'archive' : 'unarchive', asked: {}, uuids: listed(uuids) }, context),

    changes: changes.list,
    change: changes.detail,
    declareChanges: changes.declare,
    resumeChanges: changes.resume,
  };
}

function listed(uuids: readonly string[]): readonly string[] {
  if (uuids.length > MAX_LISTED)
    throw rejected(`A request lists at most ${MAX_LISTED} certificates; these are ${uuids.length}.`);
  const odd = uuids.find((uuid) => !isUuid(uuid.toLowerCase()));
  if (odd !== undefined) throw rejected(`certificateUuids: ${JSON.stringify(odd.slice(0, 40))} is not an identifier`);
  return uuids;
}
