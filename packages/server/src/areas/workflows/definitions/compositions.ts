// Rules, which are composed of conditions, and actions, which are composed of executions.
import type {
  ActionDetailDto,
  ActionDto,
  ActionRequestDto,
  Resource,
  RuleDetailDto,
  RuleDto,
  RuleRequestDto,
  UpdateActionRequestDto,
  UpdateRuleRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { requireFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { NamedObjects, NamedRow } from '../../../platform/objects/named-objects.ts';
import { rejectTakenName } from '../../../platform/objects/unique-names.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { RuleRow } from '../tables.ts';
import { holdParts, removeUnused, type ChangeDefinition, type Usage } from './change.ts';
import { isAbout } from './conditions.ts';
import { countProblems } from './definition-rules.ts';
import type { Executions } from './executions.ts';
import { presentAction, presentActionDetail, presentRule, presentRuleDetail } from './present.ts';
import { findNestedActions, findNestedRules } from './store-nested.ts';
import {
  actionExecutions,
  actions,
  conditions,
  executions as executionRows,
  ruleConditions,
  rules,
  triggerActions,
  triggerRules,
  type Composition,
} from './store.ts';
import type { Subjects } from './subjects.ts';

interface Parts {
  readonly change: ChangeDefinition;
  readonly subjects: Subjects;
}

/** Defines rules or actions, whose tables have the same columns. */
interface Kind<Part extends NamedRow & { readonly resource: Resource }> {
  readonly wholes: NamedObjects<RuleRow>;
  readonly parts: NamedObjects<Part>;
  readonly composition: Composition;
  /** Plural name of the rules or actions, and the request member that lists their parts. */
  readonly words: { readonly wholes: string; readonly member: string };
  readonly usage: Usage;
}

interface CompositionRequest {
  readonly description?: string | undefined;
  readonly partUuids: readonly string[];
}

function createCompositions<Part extends NamedRow & { readonly resource: Resource }>(
  { clock }: Platform,
  { change, subjects }: Parts,
  { wholes, parts, composition, words, usage }: Kind<Part>,
) {
  function assertParts(uuids: readonly string[]): void {
    const problems = countProblems(uuids, words.member);
    if (problems.length > 0) throw rejected(...problems);
  }

  async function setParts(
    tx: Executor,
    { uuid, resource }: Pick<RuleRow, 'uuid' | 'resource'>,
    uuids: readonly string[],
  ): Promise<void> {
    await composition.replace(tx, uuid, await holdParts(tx, parts, { uuids, resource }));
  }

  return {
    /** If the resource is `ANY`, the parts can apply to different resources. */
    async create(
      {
        name,
        description,
        resource,
        partUuids,
      }: CompositionRequest & { readonly name: string; readonly resource: Resource },
      context: RequestContext,
    ): Promise<string> {
      if (resource !== 'ANY') subjects.require(resource, words.wholes);
      assertParts(partUuids);
      const now = clock.now();
      const fields = { name, description: description || null, resource, created_at: now, updated_at: now };
      const row = { uuid: newUuid(), ...fields };
      await rejectTakenName(wholes, name, () =>
        change(context, async (tx) => {
          const inserted = await wholes.insert(tx, row);
          await setParts(tx, row, partUuids);
          return inserted;
        }),
      );
      return row.uuid;
    },

    async update(uuid: string, { description, partUuids }: CompositionRequest, context: RequestContext): Promise<void> {
      assertParts(partUuids);
      await change(context, async (tx) => {
        const row = await wholes.lock(tx, uuid);
        await wholes.update(tx, uuid, { description: description || null, updated_at: clock.now() });
        await setParts(tx, row, partUuids);
        return [row];
      });
    },

    async remove(uuid: string, context: RequestContext): Promise<void> {
      await change(context, (tx) => removeUnused(tx, wholes, { uuid, usage }));
    },
  };
}

export type Rules = ReturnType<typeof createRules>;

export function createRules(platform: Platform, parts: Parts) {
  const { executor } = platform.database;
  const kept = createCompositions(platform, parts, {
    wholes: rules,
    parts: conditions,
    composition: ruleConditions,
    words: { wholes: 'rules', member: 'conditionsUuids' },
    usage: { by: 'triggers', find: triggerRules.namesOfWholes },
  });
  const detail = async (uuid: string): Promise<RuleDetailDto> => {
    const [row] = await findNestedRules(executor, [uuid]);
    return presentRuleDetail(requireFound(row, rules.what, uuid));
  };
  return {
    detail,
    list: async (resource: Resource | undefined): Promise<RuleDto[]> =>
      (await rules.findAll(executor)).filter(isAbout(resource)).map(presentRule),
    create: async ({ conditionsUuids: partUuids, ...asked }: RuleRequestDto, context: RequestContext) =>
      detail(await kept.create({ ...asked, partUuids }, context)),
    async update(
      uuid: string,
      { conditionsUuids: partUuids, ...asked }: UpdateRuleRequestDto,
      context: RequestContext,
    ) {
      await kept.update(uuid, { ...asked, partUuids }, context);
      return detail(uuid);
    },
    remove: kept.remove,
  };
}

export type Actions = ReturnType<typeof createActions>;

export function createActions(platform: Platform, parts: Parts & { readonly executions: Executions }) {
  const { executor } = platform.database;
  const kept = createCompositions(platform, parts, {
    wholes: actions,
    parts: executionRows,
    composition: actionExecutions,
    words: { wholes: 'actions', member: 'executionsUuids' },
    usage: { by: 'triggers', find: triggerActions.namesOfWholes },
  });
  const detail = async (uuid: string): Promise<ActionDetailDto> => {
    const [nested] = await findNestedActions(executor, [uuid]);
    const row = requireFound(nested, actions.what, uuid);
    return presentActionDetail(row, await parts.executions.profileNames(row.executions));
  };
  return {
    detail,
    list: async (resource: Resource | undefined): Promise<ActionDto[]> =>
      (await actions.findAll(executor)).filter(isAbout(resource)).map(presentAction),
    create: async ({ executionsUuids: partUuids, ...asked }: ActionRequestDto, context: RequestContext) =>
      detail(await kept.create({ ...asked, partUuids }, context)),
    async update(
      uuid: string,
      { executionsUuids: partUuids, ...asked }: UpdateActionRequestDto,
      context: RequestContext,
    ) {
      await kept.update(uuid, { ...asked, partUuids }, context);
      return detail(uuid);
    },
    remove: kept.remove,
  };
}
