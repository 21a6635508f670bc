// Approval profile use cases. A version that approvals use is immutable; in that case, an edit creates a new version,
// which applies to subsequent requests.
import type {
  ApprovalProfileDetailDto,
  ApprovalProfileDto,
  ApprovalProfileRequestDto,
  ApprovalProfileResponseDto,
  ApprovalProfileUpdateRequestDto,
  ApprovalStepRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, notFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { pageFacts, pageOffset, readPage, type PageRequest } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { assertKnown, namesOf, type Users } from './approvers.ts';
import { DEFAULT_EXPIRY_HOURS, problemsOfExpiry, problemsOfSteps } from './approval-steps.ts';
import type { ApprovalProfileUse } from './ports.ts';
import { presentProfile, presentProfileDetail } from './present.ts';
import * as store from './store-profiles.ts';
import { approvalProfiles, type ListedVersion } from './store-profiles.ts';
import type { ApprovalProfileRow, StepRow, VersionRow } from './tables.ts';

export interface ProfileParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly users: Users;
  readonly uses: readonly ApprovalProfileUse[];
}

export type ApprovalProfileService = ReturnType<typeof createApprovalProfileService>;

export const createApprovalProfileService = (parts: ProfileParts) => ({
  list: (page: PageRequest) => list(parts, page),
  detail: (uuid: string, version: number | undefined) => detail(parts, uuid, version),
  /** Returns list entries of the profiles that exist. */
  describe: (uuids: readonly string[]) => describe(parts, uuids),
  create: (request: ApprovalProfileRequestDto, context: RequestContext) => create(parts, request, context),
  edit: (uuid: string, request: ApprovalProfileUpdateRequestDto, context: RequestContext) =>
    edit(parts, uuid, request, context),
  remove: (uuid: string, context: RequestContext) => remove(parts, uuid, context),
});

async function list(parts: ProfileParts, asked: PageRequest): Promise<ApprovalProfileResponseDto> {
  const page = readPage(asked);
  const { executor } = parts.platform.database;
  const rows = await store.listLatestVersions(executor, { limit: page.itemsPerPage, offset: pageOffset(page) });
  return {
    ...pageFacts(page, await store.countProfiles(executor)),
    approvalProfiles: await present(parts, rows),
  };
}

async function describe(parts: ProfileParts, uuids: readonly string[]): Promise<ApprovalProfileDto[]> {
  if (uuids.length === 0) return [];
  return present(parts, await store.findLatestVersions(parts.platform.database.executor, uuids));
}

async function present(parts: ProfileParts, rows: readonly ListedVersion[]): Promise<ApprovalProfileDto[]> {
  const uuids = rows.map(({ uuid }) => uuid);
  const used = await usesOf(parts, parts.platform.database.executor, uuids);
  return rows.map((row) => presentProfile(row, used.filter(({ profileUuid }) => profileUuid === row.uuid).length));
}

async function detail(
  parts: ProfileParts,
  uuid: string,
  version: number | undefined,
): Promise<ApprovalProfileDetailDto> {
  const { executor } = parts.platform.database;
  const { name } = await approvalProfiles.require(executor, uuid);
  const shown = await store.findVersion(executor, uuid, version);
  if (!shown) throw notFound('Version of approval profile', `${name} ${version}`);
  const steps = await store.findSteps(executor, shown.version_uuid);
  return presentProfileDetail(shown, {
    usedBy: (await usesOf(parts, executor, [uuid])).map(({ resource, uuid, name }) => ({ resource, uuid, name })),
    steps,
    names: await namesOf(executor, parts.users, steps),
  });
}

async function create(
  parts: ProfileParts,
  request: ApprovalProfileRequestDto,
  context: RequestContext,
): Promise<string> {
  const { name, expiry = DEFAULT_EXPIRY_HOURS, allowOwnApproval = false, description } = request;
  assertValid(request.approvalSteps, expiry);
  const [uuid, now] = [newUuid(), parts.platform.clock.now()];
  const row: ApprovalProfileRow = { uuid, name, latest_version: 1, created_at: now, updated_at: now };
  const version: VersionRow = {
    uuid: newUuid(),
    approval_profile_uuid: uuid,
    version: 1,
    description: description || null,
    expiry_hours: expiry,
    allow_own_approval: allowOwnApproval,
    created_at: now,
  };
  await rejectTakenName(approvalProfiles, name, () =>
    parts.audit.change(context, async (tx) => {
      const steps = stepRows(request.approvalSteps, version.uuid);
      await assertKnown(tx, parts.users, steps);
      const inserted = await approvalProfiles.insert(tx, row);
      await store.insertVersion(tx, version, steps);
      return inserted;
    }),
  );
  return uuid;
}

async function edit(
  parts: ProfileParts,
  uuid: string,
  request: ApprovalProfileUpdateRequestDto,
  context: RequestContext,
): Promise<void> {
  await parts.audit.change(context, async (tx) => {
    const row = await approvalProfiles.lock(tx, uuid);
    const current = requireFound(await store.findVersion(tx, uuid, undefined), approvalProfiles.what, uuid);
    const changes = {
      description: request.description || null,
      expiry_hours: request.expiry ?? current.expiry_hours,
      allow_own_approval: request.allowOwnApproval ?? current.allow_own_approval,
    };
    assertValid(request.approvalSteps, changes.expiry_hours);
    const before = await store.findSteps(tx, current.version_uuid);
    if (isSame(current, changes) && stepsText(before) === stepsText(stepRows(request.approvalSteps, ''))) return [];
    const isUsed = (await store.countApprovals(tx, { versionUuid: current.version_uuid })) > 0;
    const versionUuid = isUsed ? newUuid() : current.version_uuid;
    const steps = stepRows(request.approvalSteps, versionUuid);
    await assertKnown(tx, parts.users, steps);
    const now = parts.platform.clock.now();
    const version = isUsed ? current.version + 1 : current.version;
    if (isUsed) {
      const added = { uuid: versionUuid, approval_profile_uuid: uuid, version, ...changes, created_at: now };
      await store.insertVersion(tx, added, steps);
    } else await store.replaceVersion(tx, versionUuid, changes, steps);
    await approvalProfiles.update(tx, uuid, { latest_version: version, updated_at: now });
    return [row];
  });
}

/**
 * Deletes a profile unless anything refers to it: approvals must remain readable, and dual control must not be lost
 * unnoticed.
 */
async function remove(parts: ProfileParts, uuid: string, context: RequestContext): Promise<void> {
  await parts.audit.change(context, async (tx) => {
    const { name } = await approvalProfiles.lock(tx, uuid);
    const approvals = await store.countApprovals(tx, { profileUuid: uuid });
    const used = await usesOf(parts, tx, [uuid]);
    const problems = [
      ...(approvals > 0
        ? [
            `${approvals} ${approvals === 1 ? 'approval was' : 'approvals were'} requested with it and must remain readable`,
          ]
        : []),
      ...used.map((use) => `${use.what} ${use.name} uses it; remove the association first`),
    ];
    if (problems.length > 0)
      throw rejected(...problems.map((problem) => `Cannot delete approval profile ${name}: ${problem}`));
    return approvalProfiles.removeMany(tx, [uuid]);
  });
}

async function usesOf({ uses }: ProfileParts, executor: Executor, uuids: readonly string[]) {
  const found = await Promise.all(
    uses.map(async ({ resource, what, find }) =>
      (await find(executor, uuids)).map((use) => ({ ...use, resource, what })),
    ),
  );
  return found.flat();
}

function assertValid(steps: readonly ApprovalStepRequestDto[], expiryHours: number): void {
  const problems = [...problemsOfExpiry(expiryHours), ...problemsOfSteps(steps)];
  if (problems.length > 0) throw rejected(...problems);
}

const stepRows = (steps: readonly ApprovalStepRequestDto[], versionUuid: string): StepRow[] =>
  steps
    .toSorted((a, b) => a.order - b.order)
    .map((step) => ({
      uuid: newUuid(),
      version_uuid: versionUuid,
      step_order: step.order,
      description: step.description || null,
      user_uuid: step.userUuid?.toLowerCase() ?? null,
      role_uuid: step.roleUuid?.toLowerCase() ?? null,
      group_uuid: step.groupUuid?.toLowerCase() ?? null,
      required_approvals: step.requiredApprovals ?? 1,
    }));

const isSame = (
  current: ListedVersion,
  changes: Pick<VersionRow, 'description' | 'expiry_hours' | 'allow_own_approval'>,
): boolean =>
  current.description === changes.description &&
  current.expiry_hours === changes.expiry_hours &&
  current.allow_own_approval === changes.allow_own_approval;

/** Returns the content of steps, without their identifiers. */
const stepsText = (steps: readonly StepRow[]): string =>
  JSON.stringify(
    steps.map((step) => [
      step.step_order,
      step.description,
      step.user_uuid,
      step.role_uuid,
      step.group_uuid,
      step.required_approvals,
    ]),
  );
