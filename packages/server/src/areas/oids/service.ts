// Use cases of object identifiers. Each change shares a transaction with its audit record and with the update of names
// that other areas store.
import type {
  CustomOidEntryDetailResponseDto,
  CustomOidEntryListResponseDto,
  CustomOidEntryRequestDto,
  CustomOidEntryUpdateRequestDto,
  SearchFieldDataByGroupDto,
  SearchRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, rejected } from '../../kernel/errors.ts';
import { presentSearchFields } from '../../kernel/filter/present-fields.ts';
import { readSearch } from '../../kernel/filter/read-filters.ts';
import { pageFacts } from '../../kernel/page.ts';
import type { Executor } from '../../platform/database/database.ts';
import { runSearch } from '../../platform/database/filter/run-search.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { factsOf, isCodeChanged, problemsOfEntry, type EntryFacts } from './oid-names.ts';
import { presentEntry } from './present.ts';
import { oidFields } from './search-fields.ts';
import * as store from './store.ts';
import type { OidRow } from './tables.ts';

const WHAT = 'OID entry';

export type OidService = ReturnType<typeof createOidService>;

interface Parts {
  readonly audit: AuditTrail;
  /** Called in the transaction that changes these attribute types' codes. */
  readonly onCodesChanged: (tx: Executor, oids: readonly string[]) => Promise<void>;
  /** Called after the commit. */
  readonly onChanged: () => void;
}

export function createOidService({ clock, database }: Platform, { audit, onCodesChanged, onChanged }: Parts) {
  const reads = createOidReads({ clock, database });

  /** Runs one change at a time, because two concurrent changes could use the same code. */
  async function change(
    context: RequestContext,
    work: (tx: Executor) => Promise<readonly { readonly oid: string; readonly isRenamed: boolean }[]>,
  ): Promise<number> {
    const changed = await audit.change(context, async (tx) => {
      await store.lockAll(tx);
      const entries = await work(tx);
      const renamed = entries.filter(({ isRenamed }) => isRenamed).map(({ oid }) => oid);
      if (renamed.length > 0) await onCodesChanged(tx, renamed);
      return entries.map(({ oid }) => ({ name: oid }));
    });
    onChanged();
    return changed.length;
  }

  async function create(
    request: CustomOidEntryRequestDto,
    context: RequestContext,
  ): Promise<CustomOidEntryDetailResponseDto> {
    const facts = factsOf(request.oid, request);
    await change(context, async (tx) => {
      const all = await store.findAll(tx);
      const same = all.find(({ oid }) => oid === facts.oid);
      if (same) throw rejected(`oid: ${facts.oid} already has an entry: ${same.display_name}`);
      accept(facts, all);
      const now = clock.now();
      await store.insert(tx, { ...facts, created_at: now, updated_at: now });
      return [{ oid: facts.oid, isRenamed: isCodeChanged(undefined, facts) }];
    });
    return reads.detail(facts.oid);
  }

  async function update(
    oid: string,
    request: CustomOidEntryUpdateRequestDto,
    context: RequestContext,
  ): Promise<CustomOidEntryDetailResponseDto> {
    const facts = factsOf(oid, request);
    await change(context, async (tx) => {
      const all = await store.findAll(tx);
      const before = requireFound(
        all.find((row) => row.oid === oid),
        WHAT,
        oid,
      );
      accept(
        facts,
        all.filter((row) => row !== before),
      );
      await store.update(tx, { ...facts, updated_at: clock.now() });
      return [{ oid, isRenamed: isCodeChanged(before, facts) }];
    });
    return reads.detail(oid);
  }

  async function remove(oid: string, context: RequestContext): Promise<void> {
    if ((await removeMany([oid], context)) === 0) requireFound(undefined, WHAT, oid);
  }

  /** Skips OIDs without an entry, so that a repeated call is harmless. */
  const removeMany = (oids: readonly string[], context: RequestContext): Promise<number> =>
    change(context, async (tx) => {
      const removed = await store.removeMany(tx, oids);
      return removed.map((row) => ({ oid: row.oid, isRenamed: isCodeChanged(row, undefined) }));
    });

  return { ...reads, create, update, remove, removeMany };
}

function accept(facts: EntryFacts, others: readonly OidRow[]): void {
  const problems = problemsOfEntry(facts, others);
  if (problems.length > 0) throw rejected(...problems);
}

function createOidReads({ clock, database }: Pick<Platform, 'clock' | 'database'>) {
  const { executor } = database;

  async function list(request: SearchRequestDto): Promise<CustomOidEntryListResponseDto> {
    const { page, conditions } = readSearch(request, { lookup: oidFields.lookup, now: clock.now() });
    const { items, totalItems } = await runSearch({ database, conditions }, (tx) =>
      store.findPage(tx, { conditions, page }),
    );
    return { ...pageFacts(page, totalItems), oidEntries: items.map(presentEntry) };
  }

  const searchFields = (): SearchFieldDataByGroupDto[] => presentSearchFields('oids', { fields: oidFields.fields });

  const detail = async (oid: string): Promise<CustomOidEntryDetailResponseDto> =>
    presentEntry(requireFound(await store.findOne(executor, oid), WHAT, oid));

  return { list, searchFields, detail };
}
