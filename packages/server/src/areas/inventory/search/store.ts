// Finds and counts the certificates that match a search. Words are searched in certificate_text: by trigram index if
// they are rare, otherwise by scanning in the requested sort order.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUnlimited } from '../../../kernel/actor.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { likePattern, type Expected } from '../../../platform/database/filter/compile.ts';
import type { ExactName, SearchText } from './text.ts';
import { hasSerialNumber, isVisibleCertificate, type CertificateFilter } from '../../certificates/index.ts';
import { inventoryTables } from '../tables.ts';
import { matching, type Matching } from '../certificate/store.ts';

type Condition = RawBuilder<SqlBool>;

/** Maximum number of matching certificates that share a serial number. Many CAs use small serial numbers. */
const MAX_NAMED = 1_000;

export interface Selection extends Matching {
  readonly text?: TextMatch;
}

export interface TextMatch {
  /**
   * Words that must all occur, each in one of its forms. If empty, only certificates that the text identifies match.
   */
  readonly words: readonly (readonly string[])[];
  /** Certificates that match because the text contains their UUID, fingerprint or serial number. */
  readonly named: readonly string[];
}

/** Query with an additional condition. */
export type NarrowedQuery<Query> = Query & { readonly only?: Condition };

/** Counts the matching certificates, up to `limit` if specified. */
export async function countSelected(
  executor: Executor,
  query: NarrowedQuery<Selection>,
  limit?: number,
): Promise<number> {
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

/** Returns the given certificates that still match the search. */
export const findStillMatching = async (
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

export function selected(
  executor: Executor,
  { text, only, ...selection }: NarrowedQuery<Selection>,
  expected?: Expected,
) {
  const all = matching(executor, selection, expected);
  const rows = only ? all.where(only) : all;
  if (!text) return rows;
  if (text.words.length === 0) return rows.where(sql<SqlBool>`c.uuid = ANY(${text.named}::uuid[])`);
  return rows.innerJoin('certificate_text as t', 't.certificate_uuid', 'c.uuid').where(matchesText(text));
}

/** Returns the condition that the words occur in the text, or that the words identify the certificate. */
export function matchesText({ words, named }: TextMatch): Condition {
  const occurs = allOccur(words);
  return named.length === 0 ? occurs : sql<SqlBool>`(${occurs} OR t.certificate_uuid = ANY(${named}::uuid[]))`;
}

const allOccur = (words: TextMatch['words']): Condition => sql`(${sql.join(words.map(occurs), sql` AND `)})`;

/** Texts are stored in lowercase as the database converts them, so the database also converts the word to lowercase. */
const occurs = (forms: readonly string[]): Condition => {
  const each = forms.map((form): Condition => sql`t.text LIKE lower(${likePattern(form, 'anywhere')}::text)`);
  return each.length === 1 && each[0] ? each[0] : sql`(${sql.join(each, sql` OR `)})`;
};

/**
 * Finds certificates that the text identifies by UUID, fingerprint or serial number. The other words must occur in
 * them.
 */
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
  const rows = await inventoryTables(executor)
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

/** Failed certificates have a separate fingerprint index; separate OR branches allow both indexes to be used. */
function isNamed({ uuid, serialNumber, fingerprint }: ExactName): Condition {
  const arms: Condition[] = [];
  if (uuid !== undefined) arms.push(sql`c.uuid = ${uuid}::uuid`);
  if (serialNumber !== undefined) arms.push(hasSerialNumber('c.serial_number', serialNumber));
  if (fingerprint !== undefined) {
    arms.push(sql`(c.fingerprint = ${fingerprint}::text AND c.state <> 'failed')`);
    arms.push(sql`(c.fingerprint = ${fingerprint}::text AND c.state = 'failed')`);
  }
  return sql`(${sql.join(arms, sql` OR `)})`;
}
