// Reads mechanism attributes. The platform defines them, so a connector has no definitions to check them against.
import { readString, type AttributeValues } from '../attributes/read-attributes.ts';
import { rejected } from '../connector-error.ts';

interface ChoiceFacts {
  readonly attributes: AttributeValues;
  readonly name: string;
  /** Operation that requires the attribute, worded as the start of a sentence. */
  readonly owner: string;
}

/** Returns the value of a required attribute with a fixed set of choices. */
export function readChoice<Choice extends string>(choices: readonly Choice[], facts: ChoiceFacts): Choice {
  const given = readString(facts.attributes, facts.name);
  const chosen = choices.find((choice) => choice === given);
  if (chosen !== undefined) return chosen;
  const offered = `one of ${choices.join(', ')}`;
  if (given === undefined) throw rejected(`${facts.owner} requires the attribute "${facts.name}": ${offered}.`);
  throw rejected(`Attribute "${facts.name}" does not offer "${given.slice(0, MAX_QUOTED)}"; choose ${offered}.`);
}

/** Rejects unknown attributes with content: they would have no effect, contrary to the caller's intent. */
export function rejectUnknownAttributes(attributes: AttributeValues, known: readonly string[], owner: string): void {
  const others = attributes.filter(({ name, content }) => !known.includes(name) && (content?.length ?? 0) > 0);
  if (others.length === 0) return;
  const takes = known.length > 0 ? `accepts only ${known.join(' and ')}` : 'accepts no attributes';
  throw rejected(...others.map(({ name }) => `${owner} ${takes}, not "${name.slice(0, MAX_QUOTED)}".`));
}

/** Maximum length of a quoted value in a message. */
const MAX_QUOTED = 60;
