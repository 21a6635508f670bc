// Reading the attributes of mechanisms. They are defined by the platform, so a connector has no definitions to check
// them by.
import { readString, type GivenAttributes } from '../attributes/read-attributes.ts';
import { rejected } from '../connector-error.ts';

interface ChoiceFacts {
  readonly attributes: GivenAttributes;
  readonly name: string;
  /** What needs the attribute, as a sentence begins with it. */
  readonly owner: string;
}

/** The value of a required attribute that is one of a few. */
export function choiceOf<Choice extends string>(choices: readonly Choice[], facts: ChoiceFacts): Choice {
  const given = readString(facts.attributes, facts.name);
  const chosen = choices.find((choice) => choice === given);
  if (chosen !== undefined) return chosen;
  const offered = `one of ${choices.join(', ')}`;
  if (given === undefined) throw rejected(`${facts.owner} needs the attribute "${facts.name}": ${offered}.`);
  throw rejected(`Attribute "${facts.name}" has no choice "${given.slice(0, MAX_QUOTED)}"; choose ${offered}.`);
}

/** Attributes with content beyond the known ones are a mistake: what the caller asked for would not be done. */
export function refuseOthers(attributes: GivenAttributes, known: readonly string[], owner: string): void {
  const others = attributes.filter(({ name, content }) => !known.includes(name) && (content?.length ?? 0) > 0);
  if (others.length === 0) return;
  const takes = known.length > 0 ? `takes ${known.join(' and ')} only` : 'takes no attributes';
  throw rejected(...others.map(({ name }) => `${owner} ${takes}, not "${name.slice(0, MAX_QUOTED)}".`));
}

/** Longest part of a value that a message quotes. */
const MAX_QUOTED = 60;
