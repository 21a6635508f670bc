// Executions: the operations of an action, which set fields or send messages.
import type { ExecutionDto, ExecutionRequestDto, Resource, UpdateExecutionRequestDto } from '@signetry/contract';
import { isAllowed, type RequestContext } from '../../../kernel/actor.ts';
import { requireFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { rejectTakenName } from '../../../platform/objects/unique-names.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { FindNotificationProfiles } from '../ports.ts';
import type { ExecutionItem, ExecutionRow } from '../tables.ts';
import { removeUnused, type ChangeDefinition } from './change.ts';
import { isAbout } from './conditions.ts';
import { countProblems } from './definition-rules.ts';
import { presentExecution, type ProfileNames } from './present.ts';
import { validateSetting, type FieldParts, type ValidatedItem } from './field-settings.ts';
import { actionExecutions, executions, itemsColumn } from './store.ts';
import { hasEvents, type Subjects } from './subjects.ts';

export interface ExecutionParts extends Omit<FieldParts, 'executor'> {
  readonly change: ChangeDefinition;
  readonly subjects: Subjects;
  readonly findNotificationProfiles: FindNotificationProfiles;
}

type ExecutionRequest = Pick<ExecutionRow, 'type' | 'resource' | 'items'>;

export type Executions = ReturnType<typeof createExecutions>;

export function createExecutions({ database, clock }: Platform, parts: ExecutionParts) {
  const { executor } = database;
  const { change, findNotificationProfiles } = parts;
  const accept = createValidator({ ...parts, executor });

  /** Returns the names of the notification profiles that executions use. */
  async function profileNames(rows: readonly { readonly items: readonly ExecutionItem[] }[]): Promise<ProfileNames> {
    const uuids = rows.flatMap(({ items }) => items.flatMap((item) => item.notificationProfileUuid ?? []));
    const profiles = uuids.length === 0 ? [] : await findNotificationProfiles(executor, uuids);
    return new Map(profiles.map(({ uuid, name }) => [uuid, name]));
  }

  return {
    profileNames,

    async list(resource: Resource | undefined): Promise<ExecutionDto[]> {
      const rows = (await executions.findAll(executor)).filter(isAbout(resource));
      const names = await profileNames(rows);
      return rows.map((row) => presentExecution(row, names));
    },

    async detail(uuid: string): Promise<ExecutionDto> {
      const row = await executions.require(executor, uuid);
      return presentExecution(row, await profileNames([row]));
    },

    async create(request: ExecutionRequestDto, context: RequestContext): Promise<ExecutionDto> {
      const { name, description, type, resource } = request;
      const items = await accept(request, context);
      const [created_at, updated_at] = [clock.now(), clock.now()];
      const row = { uuid: newUuid(), name, description: description || null, type, resource, created_at, updated_at };
      await rejectTakenName(executions, name, () =>
        change(context, (tx) => executions.insert(tx, { ...row, items: itemsColumn(items) })),
      );
      return presentExecution({ ...row, items }, await profileNames([{ items }]));
    },

    async update(uuid: string, request: UpdateExecutionRequestDto, context: RequestContext): Promise<ExecutionDto> {
      const { type, resource } = await executions.require(executor, uuid);
      const items = await accept({ type, resource, items: request.items }, context);
      const changes = { description: request.description || null, items: itemsColumn(items), updated_at: clock.now() };
      const [changed] = await change(context, async (tx) => [
        requireFound(await executions.update(tx, uuid, changes), executions.what, uuid),
      ]);
      return presentExecution(requireFound(changed, executions.what, uuid), await profileNames([{ items }]));
    },

    async remove(uuid: string, context: RequestContext): Promise<void> {
      const usage = { by: 'actions', find: actionExecutions.namesOfWholes };
      await change(context, (tx) => removeUnused(tx, executions, { uuid, usage }));
    },
  };
}

type ValidatorParts = Pick<ExecutionParts, 'subjects' | 'findNotificationProfiles'> & FieldParts;

/**
 * Validates an execution and converts it to its stored form. Rejects it as a whole, either listing all problems (422)
 * or naming an object that was not found (404).
 */
const createValidator =
  (parts: ValidatorParts) =>
  async (asked: ExecutionRequest, context: RequestContext): Promise<ExecutionItem[]> => {
    const { type, items } = asked;
    const judge = type === 'setField' ? settingsOf(parts, asked, context) : messagesOf(parts, asked, context);
    const problems = countProblems(items, 'items');
    if (problems.length > 0) throw rejected(...problems);
    const judged: ValidatedItem[] = [];
    for (const item of items) judged.push(await judge(item));
    const complaints = judged.flatMap((each) => ('problems' in each ? each.problems : []));
    const kept = judged.flatMap((each) => ('item' in each ? [each.item] : []));
    const keys = kept.map(({ fieldSource, fieldIdentifier, notificationProfileUuid }) =>
      fieldIdentifier === undefined
        ? `notification profile ${notificationProfileUuid}`
        : `${fieldSource} ${fieldIdentifier}`,
    );
    const repeated = keys.find((key, place) => keys.indexOf(key) !== place);
    if (repeated !== undefined) complaints.push(`items: ${repeated} is listed more than once`);
    if (complaints.length > 0) throw rejected(...complaints);
    return kept;
  };

function settingsOf(parts: ValidatorParts, { resource }: ExecutionRequest, context: RequestContext) {
  const subject = parts.subjects.require(resource, 'executions');
  return (item: ExecutionItem): Promise<ValidatedItem> => validateSetting(parts, { subject, item }, context);
}

/** Returns the check for message items. Rejects resources without events, since messages describe events. */
function messagesOf(
  { findNotificationProfiles, executor }: ValidatorParts,
  { resource }: ExecutionRequest,
  { actor }: RequestContext,
) {
  if (!hasEvents(resource)) throw rejected(`resource: ${resource} has no events, so no messages can be sent`);
  return async ({ notificationProfileUuid: given }: ExecutionItem): Promise<ValidatedItem> => {
    if (given === undefined) return { problems: ['items: notificationProfileUuid is required to send a message'] };
    const uuid = given.toLowerCase();
    const isVisible = isAllowed(actor.permissions, 'notificationProfiles', 'detail', [uuid]);
    const [profile] = isVisible ? await findNotificationProfiles(executor, [uuid]) : [];
    return { item: { notificationProfileUuid: requireFound(profile, 'Notification profile', uuid).uuid } };
  };
}
