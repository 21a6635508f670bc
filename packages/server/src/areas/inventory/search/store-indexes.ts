// Index conditions for filters on certificates (migrations 0048-inventory-at-a-million and
// 0054-serial-numbers-in-order). Each filter has an implied condition that an index can serve. Names are indexed in
// ASCII lowercase: the index supports case-insensitive sorting, and narrows the candidates of case-sensitive
// conditions.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FilterCondition } from '../../../kernel/filter/condition.ts';
import { likePattern } from '../../../platform/database/filter/compile.ts';
import { column, type ImpliedCondition, type SqlReading } from '../../../platform/database/filter/reading.ts';

/** A name in ASCII lowercase, as it is indexed. */
export const folded = (name: string): RawBuilder<string> => sql`lower(${sql.ref(name)} COLLATE "C")`;

/** Whether there is a name; name indexes contain no empty names. */
export const hasName = (name: string): RawBuilder<SqlBool> => sql`${sql.ref(name)} <> ''`;

/** Equivalent of `lower(text COLLATE "C")`. */
const foldedText = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Reads a column whose lowercase values are indexed. */
export const indexedName = (name: string, more: { readonly inText?: boolean } = {}): SqlReading =>
  column(name, {
    implied: (condition) => {
      const test = foldedTest(condition, folded(name));
      return test && sql`${hasName(name)} AND ${test}`;
    },
    ...(more.inText ? { impliedOfFew: occursInText } : {}),
  });

function foldedTest(condition: FilterCondition, value: RawBuilder<string>): RawBuilder<SqlBool> | undefined {
  if (condition.kind === 'equals' && condition.values.every((each) => each !== '')) {
    const [first, ...others] = condition.values.map((each) => foldedText(String(each)));
    return others.length === 0
      ? sql`${value} = ${first}::text COLLATE "C"`
      : sql`${value} = ANY (${[first, ...others]}::text[])`;
  }
  const [text, ...others] = condition.kind === 'text' && condition.place === 'start' ? condition.texts : [];
  return text && others.length === 0
    ? sql`${value} LIKE ${foldedText(likePattern(text, 'start'))}::text COLLATE "C"`
    : undefined;
}

/** A trigram requires three characters. */
const SEARCHED_TEXT = /^[\w.@-]{3,}$/;
/** Member names in the stored JSON. They occur in every certificate, so their substrings do not narrow a search. */
const KINDS_OF_NAMES =
  'otherName rfc822Name dNSName x400Address directoryName ediPartyName uniformResourceIdentifier iPAddress registeredID';

/** Any substring of a name, subject or subject alternative name also occurs in the free-text search text. */
export const occursInText: ImpliedCondition = (condition) => {
  const occurs = occursInRow(condition);
  return occurs && sql`c.uuid IN (SELECT t.certificate_uuid FROM certificate_text t WHERE ${occurs})`;
};

/** The same condition for queries that read the texts directly. */
export const occursInRow: ImpliedCondition = (condition) => {
  if (condition.kind !== 'text' || condition.negated || condition.texts.length > 1) return undefined;
  const [text] = condition.texts;
  if (!SEARCHED_TEXT.test(text) || KINDS_OF_NAMES.includes(text)) return undefined;
  return sql`t.text LIKE lower(${likePattern(text, 'anywhere')}::text)`;
};

/** Fingerprints of failed certificates have a separate index; separate OR branches let both indexes be used. */
export const fingerprint: SqlReading = column('c.fingerprint', {
  implied: (condition) => {
    if (condition.kind !== 'equals') return undefined;
    const among = sql`c.fingerprint = ANY (${[...condition.values]}::text[])`;
    return sql`((${among} AND c.state <> 'failed') OR (${among} AND c.state = 'failed'))`;
  },
});

/** Serial numbers are indexed by length first; a substring search scans only the index. */
export const serialNumber: SqlReading = column('c.serial_number', {
  implied: (condition) => {
    const known: RawBuilder<SqlBool> = sql`c.serial_number IS NOT NULL`;
    if (condition.kind !== 'equals') return known;
    const lengths = [...new Set(condition.values.map((value) => String(value).length))];
    return sql`(${known} AND length(c.serial_number) = ANY (${lengths}::int[]))`;
  },
});
