// How conditions on certificates reach the indexes of the inventory (migrations 0048-inventory-at-a-million and
// 0054-serial-numbers-in-order): what follows from them and is in an index. Names are indexed in the lower case of
// ASCII, which serves conditions that tell upper from lower case as well as sorting that does not.
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { FilterCondition } from '../../../kernel/filter/condition.ts';
import { likePattern } from '../../../platform/database/filter/compile.ts';
import { column, type Implied, type SqlReading } from '../../../platform/database/filter/reading.ts';

/** A name without regard to case, as it is indexed. */
export const folded = (name: string): RawBuilder<string> => sql`lower(${sql.ref(name)} COLLATE "C")`;

/** Is there a name? Indexes of names hold no others. */
export const hasName = (name: string): RawBuilder<SqlBool> => sql`${sql.ref(name)} <> ''`;

/** The same as `lower(text COLLATE "C")`. */
const foldedText = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A column with an index of its folded values. */
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

/** Three characters make the first trigram. */
const SEARCHED_TEXT = /^[\w.@-]{3,}$/;
/** Names of the members of the stored form, which is JSON: a part of one occurs in every certificate. */
const KINDS_OF_NAMES =
  'otherName rfc822Name dNSName x400Address directoryName ediPartyName uniformResourceIdentifier iPAddress registeredID';

/** Whatever is in a name, a subject or an alternative name is in the text that free text is looked for in. */
export const occursInText: Implied = (condition) => {
  const occurs = occursInRow(condition);
  return occurs && sql`c.uuid IN (SELECT t.certificate_uuid FROM certificate_text t WHERE ${occurs})`;
};

/** The same where the texts are what is read. */
export const occursInRow: Implied = (condition) => {
  if (condition.kind !== 'text' || condition.negated || condition.texts.length > 1) return undefined;
  const [text] = condition.texts;
  if (!SEARCHED_TEXT.test(text) || KINDS_OF_NAMES.includes(text)) return undefined;
  return sql`t.text LIKE lower(${likePattern(text, 'anywhere')}::text)`;
};

/** Fingerprints are indexed apart for good and for failed certificates; an arm of its own lets each index be used. */
export const fingerprint: SqlReading = column('c.fingerprint', {
  implied: (condition) => {
    if (condition.kind !== 'equals') return undefined;
    const among = sql`c.fingerprint = ANY (${[...condition.values]}::text[])`;
    return sql`((${among} AND c.state <> 'failed') OR (${among} AND c.state = 'failed'))`;
  },
});

/** Serial numbers are indexed by their length first; a part of one is looked for in the index alone. */
export const serialNumber: SqlReading = column('c.serial_number', {
  implied: (condition) => {
    const known: RawBuilder<SqlBool> = sql`c.serial_number IS NOT NULL`;
    if (condition.kind !== 'equals') return known;
    const lengths = [...new Set(condition.values.map((value) => String(value).length))];
    return sql`(${known} AND length(c.serial_number) = ANY (${lengths}::int[]))`;
  },
});
