// Selections that can be evaluated on the certificate texts alone: substrings of names, or free text. They are counted
// without reading the certificates, whose rows are five times as wide.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnlimited } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { compileFilter, type SqlCondition } from '../../../platform/database/filter/compile.ts';
import { column, type SqlReading } from '../../../platform/database/filter/reading.ts';
import { inventoryTables } from '../tables.ts';
import { occursInRow } from './store-indexes.ts';
import { matchesText, type Selection } from './store.ts';

/** Columns of the texts table that replace the certificate columns, by field. */
const readings: Readonly<Record<string, SqlReading>> = {
  COMMON_NAME: column('t.common_name', { implied: occursInRow }),
  SUBJECT_ALTERNATIVE_NAMES: column('t.alternative_names', { implied: occursInRow }),
};

/** Whether the selection searches substrings of names, which trigrams find without a full scan. */
export const isOfSearchedNames = (selection: Selection): boolean =>
  !selection.text &&
  inTexts(selection) !== undefined &&
  selection.conditions.some((condition) => occursInRow(condition) !== undefined);

/** Selects the texts `t` of the selection; undefined if the texts alone are not sufficient. */
export function selectedTexts(executor: Executor, selection: Selection) {
  const conditions = inTexts(selection);
  return (
    conditions &&
    inventoryTables(executor)
      .selectFrom('certificate_text as t')
      .where((build) => build.and(conditions))
  );
}

/** Returns the number of matches; undefined if the texts alone are not sufficient. */
export async function countByTexts(executor: Executor, selection: Selection): Promise<number | undefined> {
  const counted = await selectedTexts(executor, selection)
    ?.select((build) => build.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return counted?.total;
}

function inTexts({ conditions, text, visible, includeArchived }: Selection): RawBuilder<SqlBool>[] | undefined {
  const isSearched = text !== undefined && text.words.length > 0;
  if (!isUnlimited(visible.raProfiles) || (text ? !isSearched : conditions.length === 0)) return undefined;
  const compiled = conditions.flatMap((condition) => nameCondition(condition) ?? []);
  if (compiled.length < conditions.length) return undefined;
  return [
    ...compiled,
    ...(text ? [matchesText(text)] : []),
    ...(includeArchived ? [] : [sql<SqlBool>`NOT t.archived`]),
  ];
}

/** Returns a condition on names. Excludes name prefixes, which have their own index. */
function nameCondition(condition: SqlCondition): RawBuilder<SqlBool> | undefined {
  const { field } = condition;
  const reading = field.source === 'property' ? readings[field.identifier] : undefined;
  if (!reading || condition.kind !== 'text' || (condition.place === 'start' && !condition.negated)) return undefined;
  return compileFilter({ ...condition, field: { ...field, reading } });
}
