// Handles search texts that are too short for the trigram index, so that every certificate would have to be read. A
// small inventory is scanned; in a large inventory, such a search is rejected unless another condition narrows it.
import { isUnlimited } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { SqlCondition } from '../../../platform/database/filter/compile.ts';
import { countedTotal } from './store-counted.ts';
import type { Selection } from './store.ts';

/** Number of certificates that can be scanned within a few tens of milliseconds. */
const READ_AS_A_WHOLE = 30_000;

/** A trigram consists of three letters or digits, or of two next to a different character (pg_trgm). */
const WITH_TRIGRAM = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]{2}/u;
/** Fewer digits than this match too many serial numbers: three hexadecimal digits occur in about one in a hundred. */
const FEW_DIGITS = /^.{4}/;

interface Length {
  readonly isEnough: RegExp;
  readonly least: string;
}

const OF_NAMES: Length = { isEnough: WITH_TRIGRAM, least: 'three letters or digits in a row' };
const OF_NUMBERS: Length = { isEnough: FEW_DIGITS, least: 'four digits' };

/** Fields whose substrings are found by an index. */
const lengths: Readonly<Record<string, Length>> = {
  COMMON_NAME: OF_NAMES,
  SUBJECT_ALTERNATIVE_NAMES: OF_NAMES,
  SUBJECTDN: OF_NAMES,
  SERIAL_NUMBER: OF_NUMBERS,
};

/** Rejects a search in a large inventory if only short texts narrow it. */
export async function rejectShortTexts(executor: Executor, selection: Selection): Promise<void> {
  const problems = shortTextsOf(selection);
  if (problems.length === 0) return;
  const all = await countedTotal(executor, { ...ALL, visible: selection.visible });
  if (all === undefined || all <= READ_AS_A_WHOLE) return;
  const among = `too short to search more than ${READ_AS_A_WHOLE.toLocaleString('en')} certificates`;
  throw new AppError('invalid_fields', {
    problems: problems.map(
      ({ what, texts, least }) =>
        `${what}: ${texts.join(', ')} is ${among}; enter at least ${least}, or add another filter`,
    ),
  });
}

const ALL = { conditions: [], includeArchived: true };

interface ShortTextProblem {
  readonly what: string;
  /** In quotation marks. */
  readonly texts: readonly string[];
  readonly least: string;
}

/** Returns the short texts if nothing else narrows the selection; otherwise an empty list. */
function shortTextsOf({ conditions, text, visible }: Selection): readonly ShortTextProblem[] {
  if (!isUnlimited(visible.raProfiles)) return [];
  const words = (text?.words ?? []).map((forms): ShortTextProblem | undefined =>
    forms.some((form) => WITH_TRIGRAM.test(form))
      ? undefined
      : { what: 'text', texts: forms.map(quoted), least: OF_NAMES.least },
  );
  // Certificates that the text identifies are looked up by key.
  const isNamed = text !== undefined && text.words.length === 0;
  const all = [...words, ...conditions.map(shortText)];
  return isNamed || all.includes(undefined) ? [] : all.filter((each) => each !== undefined);
}

function shortText(condition: SqlCondition): ShortTextProblem | undefined {
  const { field } = condition;
  const length = field.source === 'property' ? lengths[field.identifier] : undefined;
  if (!length || condition.kind !== 'text' || condition.negated) return undefined;
  // Name prefixes have their own index.
  if (condition.place === 'start' && field.identifier === 'COMMON_NAME') return undefined;
  const short = condition.texts.filter((text) => !length.isEnough.test(text));
  return short.length === 0 ? undefined : { what: field.identifier, texts: short.map(quoted), least: length.least };
}

const quoted = (text: string): string => `"${text}"`;
