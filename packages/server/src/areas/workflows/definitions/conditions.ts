// Conditions: criteria that an object must match, in the search filter model.
import type {
  ConditionDto,
  ConditionItemDto,
  ConditionRequestDto,
  Resource,
  UpdateConditionRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { requireFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { rejectTakenName } from '../../../platform/objects/unique-names.ts';
import type { Platform } from '../../../platform/platform.ts';
import { removeUnused, type ChangeDefinition } from './change.ts';
import { countProblems, toStoredConditions } from './definition-rules.ts';
import { presentCondition } from './present.ts';
import { conditions, itemsColumn, ruleConditions } from './store.ts';
import { assertConditions, type Subjects } from './subjects.ts';

export interface ConditionParts {
  readonly change: ChangeDefinition;
  readonly subjects: Subjects;
}

export type Conditions = ReturnType<typeof createConditions>;

export function createConditions({ database, clock }: Platform, { change, subjects }: ConditionParts) {
  const { executor } = database;

  async function accept(
    { resource, items }: { readonly resource: Resource; readonly items: readonly ConditionItemDto[] },
    context: RequestContext,
  ): Promise<ConditionItemDto[]> {
    const subject = subjects.require(resource, 'conditions');
    const problems = countProblems(items, 'items');
    if (problems.length > 0) throw rejected(...problems);
    const kept = toStoredConditions(items);
    assertConditions(subject, kept, context);
    return kept;
  }

  return {
    list: async (resource: Resource | undefined): Promise<ConditionDto[]> =>
      (await conditions.findAll(executor)).filter(isAbout(resource)).map(presentCondition),

    detail: async (uuid: string): Promise<ConditionDto> => presentCondition(await conditions.require(executor, uuid)),

    async create(request: ConditionRequestDto, context: RequestContext): Promise<ConditionDto> {
      const { name, description, type, resource } = request;
      const items = await accept(request, context);
      const [created_at, updated_at] = [clock.now(), clock.now()];
      const row = { uuid: newUuid(), name, description: description || null, type, resource, created_at, updated_at };
      await rejectTakenName(conditions, name, () =>
        change(context, (tx) => conditions.insert(tx, { ...row, items: itemsColumn(items) })),
      );
      return presentCondition({ ...row, items });
    },

    async update(uuid: string, request: UpdateConditionRequestDto, context: RequestContext): Promise<ConditionDto> {
      const { resource } = await conditions.require(executor, uuid);
      const items = await accept({ resource, items: request.items }, context);
      const changes = { description: request.description || null, items: itemsColumn(items), updated_at: clock.now() };
      const [row] = await change(context, async (tx) => [
        requireFound(await conditions.update(tx, uuid, changes), conditions.what, uuid),
      ]);
      return presentCondition(requireFound(row, conditions.what, uuid));
    },

    async remove(uuid: string, context: RequestContext): Promise<void> {
      const usage = { by: 'rules', find: ruleConditions.namesOfWholes };
      await change(context, (tx) => removeUnused(tx, conditions, { uuid, usage }));
    },
  };
}

/**
 * Returns a filter for definitions that apply to the resource. It matches all definitions if no resource or `ANY` is
 * specified.
 */
export const isAbout =
  (resource: Resource | undefined) =>
  (row: { readonly resource: Resource }): boolean =>
    resource === undefined || resource === 'ANY' || row.resource === resource;
