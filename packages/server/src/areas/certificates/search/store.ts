// The search of people: free text, sorting, totals. The identifiers of a page are found first, from an index alone
// where there is one for the order, so that a deep page reads full rows of its own certificates only. Words are looked
// for in certificate_text: by its trigrams where they are rare, along the order that is asked for where they are not.
import type { CertificateSort } from '@signetry/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnlimited } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { likePattern, type Expected } from '../../../platform/database/filter/compile.ts';
import type { ExactName, SearchText } from './text.ts';
import { sortTerms } from './sort-fields.ts';
import type { CertificateFilter } from '../core/access.ts';
import { isVisibleCertificate } from '../core/store-visible.ts';
import { joinedTables } from '../core/store.ts';
import { matching, type Matching } from '../inventory/store.ts';

type Condition = RawBuilder<SqlBool>;

/** Certificates of the same serial number that a search still finds; small numbers are used by many authorities. */
const MAX_NAMED = 1_000;

export interface Selection extends Matching {
  readonly text?: TextMatch;
}

export interface TextMatch {
  /** Words that must all occur, each in one of its forms; without any, only what the text names is found. */
  readonly words: readonly (readonly string[])[];
  /** Certificates that the text finds otherwise: their numbers are in it. */
  readonly named: readonly string[];
}

export interface SortedSelection extends Selection {
  readonly sort: readonly CertificateSort[];
}

export interface Stretch {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Identifiers in the order asked for. An index of the first value holds the certificates that have one, and is read in
 * both directions; those that have none come after them.
 */
export async function findKeys(
  executor: Executor,
  query: SortedSelection,
  { offset, limit }: Stretch,
): Promise<readonly string[]> {
  const [first] = sortTerms(query.sort);
  if (!first?.known) return keysOf(executor, query, { offset, limit });
  const named = { ...query, only: first.known, isFirstKnown: true };
  const keys = await keysOf(executor, named, { offset, limit });
  if (keys.length === limit) return keys;
  const passed = keys.length > 0 || offset === 0 ? offset + keys.length : await countSelected(executor, named);
  const stretch = { offset: Math.max(0, offset - passed), limit: limit - keys.length };
  const nameless = { ...query, only: sql<SqlBool>`(${first.known}) IS NOT TRUE` };
  return [...keys, ...(await keysOf(executor, nameless, stretch))];
}

/** With a further condition, which may be that the first value of the order is there. */
type Narrowed<Query> = Query & { readonly only?: Condition; readonly isFirstKnown?: boolean };

async function keysOf(
  executor: Executor,
  query: Narrowed<SortedSelection>,
  { offset, limit }: Stretch,
): Promise<string[]> {
  let ordered = withSorted(selected(executor, query), query.sort).select('c.uuid');
  for (const [place, { value, direction, known }] of sortTerms(query.sort).entries()) {
    // Only an order without a word about absent values is that of an index.
    const mayBeAbsent = known && !(place === 0 && query.isFirstKnown);
    const shown = mayBeAbsent ? sql`CASE WHEN ${known} THEN ${value} END` : value;
    ordered = ordered.orderBy(shown, (order) => {
      const directed = direction === 'asc' ? order.asc() : order.desc();
      return mayBeAbsent ? directed.nullsLast() : directed;
    });
  }
  const rows = await ordered.limit(limit).offset(offset).execute();
  return rows.map(({ uuid }) => uuid);
}

export interface Collected {
  readonly total: number;
  readonly keys: readonly string[];
}

/**
 * Finds all certificates of a selection and takes a page of them; nothing when there are more than `most`. Certificates
 * that are few are found by what is rare about them, wherever they are in the order that is asked for.
 */
export async function collectKeys(
  executor: Executor,
  query: SortedSelection,
  { offset, limit, most }: Stretch & { readonly most: number },
): Promise<Collected | undefined> {
  const terms = sortTerms(query.sort);
  const found = withSorted(selected(executor, query, 'few'), query.sort)
    .select('c.uuid as key')
    .select(
      terms.map(({ value, known }, place) =>
        (known ? sql`CASE WHEN ${known} THEN ${value} END` : value).as(`value_${place}`),
      ),
    )
    .limit(most + 1);
  const order = terms.map(({ direction }, place) => sql`${sql.ref(`value_${place}`)} ${sql.raw(direction)} NULLS LAST`);
  const { rows } = await sql<Collected>`
    WITH found AS MATERIALIZED (${found})
    SELECT (SELECT count(*)::int FROM found) AS total,
      ARRAY(SELECT key::text FROM found ORDER BY ${sql.join(order)} LIMIT ${limit}::int OFFSET ${offset}::bigint) AS keys`.execute(
    executor,
  );
  const [collected] = rows;
  return collected && collected.total <= most ? collected : undefined;
}

/** With the RA profiles, where the order is that of their names. */
const withSorted = (rows: ReturnType<typeof selected>, sort: readonly CertificateSort[]) =>
  sort.some(({ field }) => field === 'raProfile')
    ? rows.leftJoin('ra_profile as p', 'p.uuid', 'c.ra_profile_uuid')
    : rows;

/** How many there are; with a limit, no more than that are counted. */
export async function countSelected(executor: Executor, query: Narrowed<Selection>, limit?: number): Promise<number> {
  const rows = selected(executor, query);
  const counted =
    limit === undefined
      ? rows.select((build) => build.fn.countAll<number>().as('total'))
      : executor
          .selectFrom(rows.select('c.uuid').limit(limit).as('some'))
          .select((build) => build.fn.countAll<number>().as('total'));
  const { total } = await counted.executeTakeFirstOrThrow();
  return total;
}

/** Those of the certificates that a search finds still. */
export const findStill = async (
  executor: Executor,
  query: Selection,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = await selected(executor, query)
    .select('c.uuid')
    .where('c.uuid', '=', sql<string>`ANY(${uuids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
};

function selected(executor: Executor, { text, only, ...selection }: Narrowed<Selection>, expected?: Expected) {
  const all = matching(executor, selection, expected);
  const rows = only ? all.where(only) : all;
  if (!text) return rows;
  const named: Condition = sql`${sql.ref(text.words.length > 0 ? 't.certificate_uuid' : 'c.uuid')} = ANY(${text.named}::uuid[])`;
  if (text.words.length === 0) return rows.where(named);
  const occurs = allOccur(text.words);
  return rows
    .innerJoin('certificate_text as t', 't.certificate_uuid', 'c.uuid')
    .where(text.named.length === 0 ? occurs : sql<SqlBool>`(${occurs} OR ${named})`);
}

const allOccur = (words: TextMatch['words']): Condition => sql`(${sql.join(words.map(occurs), sql` AND `)})`;

/** Texts are kept in the lower case of the database, so the word is brought to it there. */
const occurs = (forms: readonly string[]): Condition => {
  const each = forms.map((form): Condition => sql`t.text LIKE lower(${likePattern(form, 'anywhere')}::text)`);
  return each.length === 1 && each[0] ? each[0] : sql`(${sql.join(each, sql` OR `)})`;
};

/** Certificates that the text names by an identifier, a fingerprint or a serial number; its other words must occur. */
export async function findNamed(
  executor: Executor,
  { words, whole }: SearchText,
  visible: CertificateFilter,
): Promise<string[]> {
  const names = [...words.map(({ exact }) => exact), whole].flatMap((exact) => exact ?? []);
  if (names.length === 0) return [];
  const each = words.map(({ forms, exact }): Condition =>
    exact ? sql`(${occurs(forms)} OR ${isNamed(exact)})` : occurs(forms),
  );
  const fulfilled: Condition = sql`(${sql.join(each, sql` AND `)})`;
  const rows = await joinedTables(executor)
    .selectFrom('certificate as c')
    .leftJoin('certificate_text as t', 't.certificate_uuid', 'c.uuid')
    .select('c.uuid')
    .where(sql<SqlBool>`(${sql.join(names.map(isNamed), sql` OR `)})`)
    .where(whole ? sql<SqlBool>`(${fulfilled} OR ${isNamed(whole)})` : fulfilled)
    .$if(!isUnlimited(visible.raProfiles), (query) => query.where(isVisibleCertificate(visible)))
    .orderBy('c.uuid', 'desc')
    .limit(MAX_NAMED)
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Fingerprints are indexed apart for good and for failed certificates; an arm of its own lets each index be used. */
function isNamed({ uuid, serialNumber, fingerprint }: ExactName): Condition {
  const arms: Condition[] = [];
  if (uuid !== undefined) arms.push(sql`c.uuid = ${uuid}::uuid`);
  if (serialNumber !== undefined) arms.push(sql`c.serial_number = ${serialNumber}::text`);
  if (fingerprint !== undefined) {
    arms.push(sql`(c.fingerprint = ${fingerprint}::text AND c.state <> 'failed')`);
    arms.push(sql`(c.fingerprint = ${fingerprint}::text AND c.state = 'failed')`);
  }
  return sql`(${sql.join(arms, sql` OR `)})`;
}
