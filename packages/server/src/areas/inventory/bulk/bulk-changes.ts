// Bulk changes to certificates: assignment, archiving, deletion. The published operations have their own responses; the
// extension operations return the bulk change.
import type {
  AssignedNames,
  BulkOperationResponse,
  CertificateChangeDetail,
  CertificateChangeKind,
  CertificateUpdateRequest,
  ChosenCertificates,
  MultipleCertificateObjectUpdateDto,
  RemoveCertificateDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { notFound, rejected, type AppError } from '../../../kernel/errors.ts';
import type { UpdateParts } from '../certificate/update.ts';
import { createArchiver, type ArchiverParts } from './archive-set.ts';
import { createManyChanges, type StartedChange, type RejectedCertificate } from './change-many.ts';
import { assertIdentifiers, targetOfFilters, targetOf, type ChangeTarget } from './change-target.ts';
import { createDeleter, type DeleterParts } from './delete-set.ts';
import { createChangeProgress } from './progress.ts';
import type { ChangeRequest } from './tables.ts';
import { updateSet, resolveAssignment } from './update-set.ts';

export interface BulkChangeParts extends UpdateParts, ArchiverParts, DeleterParts {
  readonly users: UpdateParts['users'] & ArchiverParts['users'] & DeleterParts['users'];
}

type AssignmentSpec = Pick<CertificateUpdateRequest, 'ownerUuid' | 'groupUuids' | 'raProfileUuid'>;

export function createBulkChanges(parts: BulkChangeParts) {
  const archiver = createArchiver(parts);
  const deleter = createDeleter(parts);
  const progress = createChangeProgress(parts);
  const changes = createManyChanges(parts.platform, {
    update: (set, within) => updateSet(parts, set, within),
    archive: (set, within) => archiver.archiveSet({ ...set, archived: true }, within),
    unarchive: (set, within) => archiver.archiveSet({ ...set, archived: false }, within),
    delete: deleter.deleteSet,
  });
  const begin = createStarter(parts, changes.start);

  const published = {
    async updateMany(request: MultipleCertificateObjectUpdateDto, context: RequestContext): Promise<void> {
      const { certificateUuids, filters, ...given } = request;
      const chosen = targetOfFilters({ uuids: certificateUuids, filters }, 'update');
      rejectIfNothingDone(await begin('update', { chosen, asked: await prepareAssignment(parts, given) }, context));
    },

    async archiveMany(uuids: readonly string[], archived: boolean, context: RequestContext): Promise<void> {
      const chosen = targetOfFilters({ uuids: [...uuids] }, 'archive');
      rejectIfNothingDone(await begin(archived ? 'archive' : 'unarchive', { chosen }, context));
    },

    /** Treats strings that are not UUIDs as nonexistent certificates. */
    async removeMany(request: RemoveCertificateDto, context: RequestContext): Promise<BulkOperationResponse> {
      const chosen = targetOfFilters(request, 'delete');
      if ('selection' in chosen) return deletionResponse(await begin('delete', { chosen }, context), []);
      const [known, odd] = [chosen.uuids.filter(isUuid), chosen.uuids.filter((uuid) => !isUuid(uuid))];
      return deletionResponse(await begin('delete', { chosen: { uuids: known } }, context), odd);
    },
  };

  const startWith =
    (kind: CertificateChangeKind) =>
    async (request: ChosenCertificates, context: RequestContext): Promise<CertificateChangeDetail> => {
      const { uuid } = await begin(kind, { chosen: targetOf(request, kind) }, context);
      return progress.detail(uuid, context);
    };

  return {
    ...published,
    archiveOne: archiver.archiveOne,
    remove: deleter.deleteOne,

    async startUpdate(request: CertificateUpdateRequest, context: RequestContext): Promise<CertificateChangeDetail> {
      const { certificateUuids, selection, ...given } = request;
      const chosen = targetOf({ certificateUuids, selection }, 'update');
      const { uuid } = await begin('update', { chosen, asked: await prepareAssignment(parts, given) }, context);
      return progress.detail(uuid, context);
    },
    startArchiving: startWith('archive'),
    startUnarchiving: startWith('unarchive'),
    startDeletion: startWith('delete'),

    changes: progress.list,
    change: progress.detail,
    stopChange: progress.stop,
    declareChanges: changes.declare,
    resumeChanges: changes.resume,
  };
}

interface ChangeSpec {
  readonly chosen: ChangeTarget;
  readonly asked?: ChangeRequest;
}

const createStarter =
  ({ findMatched }: BulkChangeParts, start: ReturnType<typeof createManyChanges>['start']) =>
  async (
    kind: CertificateChangeKind,
    { chosen, asked = {} }: ChangeSpec,
    context: RequestContext,
  ): Promise<StartedChange> => {
    if ('uuids' in chosen) {
      assertIdentifiers(chosen.uuids);
      return start({ kind, asked, uuids: chosen.uuids }, context);
    }
    const action = kind === 'unarchive' ? 'archive' : kind;
    const uuids = await findMatched(chosen.selection, context, action).findMatching();
    return start({ kind, asked: { ...asked, ...chosen.selection }, uuids }, context);
  };

/** Rejects values immediately if they cannot be assigned to any certificate. */
async function prepareAssignment(
  parts: BulkChangeParts,
  { ownerUuid, groupUuids, raProfileUuid }: AssignmentSpec,
): Promise<ChangeRequest> {
  const given = { ownerUuid, groupUuids, raProfileUuid };
  const { owner, groups } = await resolveAssignment(parts, given);
  const profile = raProfileUuid ? await parts.raProfiles.forIssuingByUuid(raProfileUuid.toLowerCase()) : undefined;
  const names: AssignedNames = {
    ...(owner && { owner: owner.user?.username ?? '' }),
    ...(groups && { groups: groups.map(({ name }) => name) }),
    ...(raProfileUuid !== undefined && { raProfile: profile?.name ?? '' }),
  };
  return { ...given, names };
}

function rejectIfNothingDone({ outcome }: StartedChange): void {
  if (outcome && outcome.done.length === 0 && outcome.refused.length > 0) throw rejectionOf(outcome.refused);
}

// Reports the outcome of a bulk change in the format of the published operations.

/** Maximum number of reasons listed. The remaining ones are only counted. */
const MAX_REPEATED = 10;

/** `strange` contains the strings in the request that are not identifiers. */
function deletionResponse({ uuid, total, outcome }: StartedChange, strange: readonly string[]): BulkOperationResponse {
  const unknown = strange.map((text) => notFound('Certificate', text));
  if (!outcome)
    return {
      status: unknown.length === 0 ? 'SUCCESS' : 'PARTIAL',
      failedItem: unknown.length,
      message: [
        `${total} certificates are being deleted; GET /api/x/v1/certificates/changes/${uuid} returns the progress.`,
        ...(unknown.length === 0 ? [] : [`Not deleted: ${describeFailures(unknown)}`]),
      ].join(' '),
    };
  const failures = [...outcome.refused.map(({ error }) => error), ...unknown];
  const deleted = outcome.done.length;
  return {
    status: failures.length === 0 ? 'SUCCESS' : deleted === 0 ? 'FAILED' : 'PARTIAL',
    failedItem: failures.length,
    message: summary(deleted, failures),
  };
}

function summary(deleted: number, failures: readonly AppError[]): string {
  if (failures.length === 0) return `${deleted} ${deleted === 1 ? 'certificate was' : 'certificates were'} deleted.`;
  return `${deleted} of ${deleted + failures.length} certificates were deleted. Not deleted: ${describeFailures(failures)}`;
}

function describeFailures(failures: readonly AppError[]): string {
  const rest = failures.length - MAX_REPEATED;
  return `${failures
    .slice(0, MAX_REPEATED)
    .map(({ message }) => message)
    .join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

/** Returns the error for a change in which no certificate could be changed. */
function rejectionOf(refused: readonly RejectedCertificate[]): AppError {
  const [first] = refused;
  if (first && refused.length === 1) return first.error;
  const rest = refused.length - MAX_REPEATED;
  const named = refused.slice(0, MAX_REPEATED).map(({ error }) => error.message);
  return rejected(...named, ...(rest > 0 ? [`and ${rest} more`] : []));
}
