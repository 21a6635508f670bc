// The platform's own rules, called internal in the API: conditions on a single object, which administrators define with
// the same model as searches. Built-in rules come from the connector x509-rules.
import type { ComplianceInternalRuleRequestDto, ComplianceRuleListDto, ConditionItemDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { CheckedCertificates } from '../inventory/index.ts';
import type { CheckedKeys } from '../keys/index.ts';
import { presentListedInternalRule } from './present.ts';
import { conditionsColumn, findProfilesOfRule, internalRules } from './store.ts';
import type { InternalRuleRow, Subject } from './tables.ts';

export interface InternalRuleParts {
  readonly audit: AuditTrail;
  readonly certificates: Pick<CheckedCertificates, 'assertConditions' | 'fulfilling'>;
  readonly keys: Pick<CheckedKeys, 'assertConditions' | 'fulfilling'>;
}

export type InternalRules = ReturnType<typeof createInternalRules>;

export function createInternalRules(platform: Platform, parts: InternalRuleParts) {
  const { database, clock } = platform;
  const { audit, certificates, keys } = parts;

  /** Rejects conditions that cannot be evaluated, including regular expressions that the database does not support. */
  async function assertValid(
    { resource, conditionItems: items }: ComplianceInternalRuleRequestDto,
    context: RequestContext,
  ): Promise<Subject> {
    if (resource === 'keys') {
      keys.assertConditions(items);
      await keys.fulfilling(items, []);
      return resource;
    }
    if (resource !== 'certificates' && resource !== 'certificateRequests')
      throw rejected(`resource: must be certificates, certificateRequests or keys, not ${resource}`);
    certificates.assertConditions({ subject: resource, items }, context);
    await certificates.fulfilling({ subject: resource, items }, []);
    return resource;
  }

  return {
    list: async (): Promise<ComplianceRuleListDto[]> =>
      (await internalRules.findAll(database.executor)).map(presentListedInternalRule),

    require: (uuid: string): Promise<InternalRuleRow> => internalRules.require(database.executor, uuid),

    async create(request: ComplianceInternalRuleRequestDto, context: RequestContext): Promise<ComplianceRuleListDto> {
      const resource = await assertValid(request, context);
      const now = clock.now();
      const row: InternalRuleRow = {
        uuid: newUuid(),
        ...fieldsOf(request, resource),
        created_at: now,
        updated_at: now,
      };
      await rejectTakenName(internalRules, request.name, () =>
        audit.change(context, (tx) =>
          internalRules.insert(tx, { ...row, conditions: conditionsColumn(row.conditions) }),
        ),
      );
      return presentListedInternalRule(row);
    },

    async update(
      uuid: string,
      request: ComplianceInternalRuleRequestDto,
      context: RequestContext,
    ): Promise<ComplianceRuleListDto> {
      const resource = await assertValid(request, context);
      const fields = fieldsOf(request, resource);
      const changes = { ...fields, conditions: conditionsColumn(fields.conditions), updated_at: clock.now() };
      const [row] = await rejectTakenName(internalRules, request.name, () =>
        audit.change(context, async (tx) => [
          requireFound(await internalRules.update(tx, uuid, changes), internalRules.what, uuid),
        ]),
      );
      return presentListedInternalRule(requireFound(row, internalRules.what, uuid));
    },

    async remove(uuid: string, context: RequestContext): Promise<void> {
      await audit.change(context, async (tx) => {
        const { name } = await internalRules.lock(tx, uuid);
        const used = await findProfilesOfRule(tx, uuid);
        if (used.length > 0)
          throw rejected(
            `Cannot delete internal rule ${name}: it is used by compliance profiles (${used.length}): ${used.join(', ')}. Remove it from them first.`,
          );
        return internalRules.removeMany(tx, [uuid]);
      });
    },
  };
}

const fieldsOf = (request: ComplianceInternalRuleRequestDto, resource: Subject) => ({
  name: request.name,
  description: request.description || null,
  resource,
  conditions: request.conditionItems as readonly ConditionItemDto[],
});
