// Possible words at each position of a command line, for all shells; derived from the declared commands.
import type { Command, Flags } from '../command-line/command.ts';
import { connectionFlags } from '../platform/find-platform.ts';

export interface Offer {
  readonly text: string;
  readonly about: string;
}

export interface FlagOffer extends Offer {
  /** The allowed values, or `any`; absent for a switch. */
  readonly value?: readonly string[] | 'any';
}

export interface CommandOffers {
  /** The preceding words, e.g. `certificates list`; empty at the beginning. */
  readonly words: string;
  readonly next: readonly Offer[];
  readonly flags: readonly FlagOffer[];
}

const HELP: FlagOffer = { text: '--help', about: 'Print help' };
const JSON_FLAG: FlagOffer = { text: '--json', about: 'Print JSON' };

/**
 * Returns the suggestions for each position. `settings` are the platform's own flags, for commands that accept them.
 */
export function completionPositions(commands: readonly Command[], settings: Flags): readonly CommandOffers[] {
  const groups = wordGroups(commands);
  const start: CommandOffers = {
    words: '',
    next: [
      ...nextWords('', commands),
      { text: 'help', about: 'Show help for a command' },
      { text: 'version', about: 'Print the version' },
    ],
    flags: [...flagOffers(connectionFlags), JSON_FLAG, HELP],
  };
  const inGroups = groups.map((words) => ({ words, next: nextWords(words, commands), flags: [HELP] }));
  const atCommands = commands.map((command) => offersAtCommand(command, settings));
  // `help` accepts the same words, but no flags.
  const inHelp = ['', ...groups].map((words) => ({
    words: `help ${words}`.trim(),
    next: nextWords(words, commands),
    flags: [],
  }));
  return [start, ...inGroups, ...atCommands, ...inHelp];
}

/** Returns words that begin a command but are not commands themselves, e.g. `certificates`. */
function wordGroups(commands: readonly Command[]): readonly string[] {
  const groups = commands.flatMap(({ name }) => {
    const words = name.split(' ');
    return words.slice(1).map((_, index) => words.slice(0, index + 1).join(' '));
  });
  return [...new Set(groups)];
}

function nextWords(words: string, commands: readonly Command[]): readonly Offer[] {
  const prefix = words === '' ? '' : `${words} `;
  const offers = new Map<string, string>();
  for (const { name, about } of commands) {
    if (!name.startsWith(prefix)) continue;
    const [word = '', ...rest] = name.slice(prefix.length).split(' ');
    const known = offers.get(word);
    const facts = rest.length === 0 ? about : rest.join(' ');
    offers.set(word, known === undefined ? facts : `${known}, ${facts}`);
  }
  return [...offers].map(([text, about]) => ({ text, about }));
}

function offersAtCommand(command: Command, settings: Flags): CommandOffers {
  const flags = { ...command.flags, ...(command.takesSettings ? settings : {}) };
  const choices = command.arguments?.[0]?.choices ?? [];
  return {
    words: command.name,
    next: choices.map((text) => ({ text, about: command.about })),
    flags: [...flagOffers(flags), JSON_FLAG, HELP],
  };
}

const flagOffers = (flags: Flags): readonly FlagOffer[] =>
  Object.entries(flags).map(([name, { about, value, choices }]) => ({
    text: `--${name}`,
    about,
    ...(value === undefined ? {} : { value: choices ?? 'any' }),
  }));

/** Returns the flags whose value is the next word. */
export const valueFlags = (places: readonly CommandOffers[]): readonly string[] => [
  ...new Set(places.flatMap(({ flags }) => flags.filter(({ value }) => value !== undefined).map(({ text }) => text))),
];

export interface ChoicePosition {
  /** The preceding words and the flag. */
  readonly at: string;
  readonly choices: readonly string[];
}

/** Returns the positions where a flag accepts one of a fixed set of values. */
export const choicePositions = (places: readonly CommandOffers[]): readonly ChoicePosition[] =>
  places.flatMap(({ words, flags }) =>
    flags.flatMap(({ text, value }) =>
      value === undefined || value === 'any' ? [] : [{ at: `${words} ${text}`, choices: value }],
    ),
  );
