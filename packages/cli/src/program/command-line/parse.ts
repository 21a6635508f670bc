// Parses a command line according to the declared commands. Errors suggest the intended word if it can be guessed.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { usageError } from '../failures.ts';
import { connectionFlags } from '../platform/find-platform.ts';
import type { Argument, Command, Flag, Flags, Input } from './command.ts';
import { findNearest } from '@signetry/server/nearest';

export type Selection =
  | { readonly kind: 'command'; readonly command: Command; readonly args: readonly string[] }
  | { readonly kind: 'help'; readonly words: readonly string[] }
  | { readonly kind: 'version' };

const HELP = new Set(['--help', '-h']);

/** Finds the command, or a request for help. Flags that every command accepts can precede it. */
export function selectCommand(args: readonly string[], commands: readonly Command[]): Selection {
  const start = leadingFlags(args);
  const [leading, given] = [args.slice(0, start), args.slice(start)];
  const [first] = given;
  if (first === '--version' || first === '-v' || first === 'version') return { kind: 'version' };
  const end = given.findIndex((arg) => arg.startsWith('-'));
  const words = end === -1 ? given : given.slice(0, end);
  if (words[0] === 'help') return { kind: 'help', words: words.slice(1) };
  const command = commands.find(({ name }) => startsWithWords(words, name));
  if (requestsHelp(given)) return { kind: 'help', words: command ? command.name.split(' ') : words };
  if (command) {
    return { kind: 'command', command, args: [...leading, ...given.slice(command.name.split(' ').length)] };
  }
  throw unknownCommand(words, { commands, first: first ?? leading.find((arg) => arg !== '--json') });
}

/** Returns the number of leading arguments that are common flags and their values. */
function leadingFlags(args: readonly string[]): number {
  let count = 0;
  for (;;) {
    const [, name = '', value] = /^--([a-z-]+)(=.*)?$/s.exec(args[count] ?? '') ?? [];
    if (name === 'json') count += 1;
    else if (Object.hasOwn(connectionFlags, name)) count += value === undefined ? 2 : 1;
    else return Math.min(count, args.length);
  }
}

function requestsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => HELP.has(arg));
}

const startsWithWords = (words: readonly string[], name: string): boolean =>
  name.split(' ').every((word, index) => words[index] === word);

/** Returns a group's commands, e.g. all commands that begin with `certificates`. */
export const commandsBelow = (words: readonly string[], commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ name }) => words.every((word, index) => name.split(' ')[index] === word));

export function unknownCommand(
  words: readonly string[],
  facts: { readonly commands: readonly Command[]; readonly first?: string | undefined },
) {
  const { commands, first } = facts;
  const overview = '`signetry help` lists all commands.';
  if (words.length === 0)
    return usageError(
      first === undefined ? 'A command is required.' : `A command is required before ${first}.`,
      overview,
    );
  const group = commandsBelow(words, commands);
  if (group.length > 0) {
    const names = group.map(({ name }) => name).join(', ');
    return usageError(`\`signetry ${words.join(' ')}\` is incomplete.`, `Commands: ${names}.`);
  }
  const text = words.slice(0, 2).join(' ');
  const guess =
    findNearest(
      text,
      commands.map(({ name }) => name),
    ) ??
    findNearest(
      words[0] ?? '',
      commands.map(({ name }) => name),
    );
  const help = guess === undefined ? overview : `Did you mean \`signetry ${guess}\`? ${overview}`;
  return usageError(`Unknown command \`${text}\`.`, help);
}

/** Parses a command's arguments and flags. */
export function parseInput(command: Command, args: readonly string[]): Input {
  if (command.takesSettings) {
    return { args: args.filter((arg) => arg !== '--json'), flags: {}, json: args.includes('--json') };
  }
  const flags: Flags = command.flags ?? {};
  const { tokens } = parseArgs({ args: [...args], options: optionsOf(flags), strict: false, tokens: true });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option') {
      const text = readFlag(command, { flag: flagOf(flags, token.name), token });
      values.set(token.name, [...(values.get(token.name) ?? []), text]);
    }
  }
  checkArguments(command, positionals);
  const given = positionals.map((text, index) => readArgument(command.arguments?.[index], text));
  return { args: given, flags: flagValues(command, values), json: values.has('json') };
}

const JSON_FLAG: Flag = { about: '' };

const flagOf = (flags: Flags, name: string): Flag | undefined =>
  name === 'json' ? JSON_FLAG : Object.hasOwn(flags, name) ? flags[name] : undefined;

function optionsOf(flags: Flags): ParseArgsOptionsConfig {
  const options: ParseArgsOptionsConfig = { json: { type: 'boolean' } };
  for (const [name, { value }] of Object.entries(flags))
    options[name] = { type: value === undefined ? 'boolean' : 'string' };
  return options;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

const helpOf = ({ name }: Command): string => `\`signetry ${name} --help\` lists the flags.`;

/** Returns a flag's validated text; empty for a switch. */
function readFlag(command: Command, { flag, token }: { flag: Flag | undefined; token: OptionToken }): string {
  const { rawName, value } = token;
  if (flag === undefined) {
    const guess = findNearest(token.name, ['json', 'help', ...Object.keys(command.flags ?? {})]);
    throw usageError(
      `\`signetry ${command.name}\` has no flag ${rawName}.`,
      `${guess === undefined ? '' : `Did you mean --${guess}? `}${helpOf(command)}`,
    );
  }
  if (flag.value === undefined) {
    if (value !== undefined) throw usageError(`${rawName} does not accept a value.`);
    return '';
  }
  // An argument that looks like a flag means that the value is missing; `--flag=--value` still works.
  if (value === undefined || value === '' || (token.inlineValue !== true && value.startsWith('--')))
    throw usageError(`${rawName} requires a value: ${rawName} ${flag.value}.`);
  return flag.choices === undefined ? value : matchChoice(flag.choices, { rawName, value });
}

function matchChoice(choices: readonly string[], given: { rawName: string; value: string }): string {
  const choice = choices.find((candidate) => candidate.toLowerCase() === given.value.toLowerCase());
  if (choice !== undefined) return choice;
  const guess = findNearest(given.value, choices);
  throw usageError(
    `${given.rawName} does not accept "${given.value}".`,
    `${guess === undefined ? '' : `Did you mean ${guess}? `}Allowed values: ${choices.join(', ')}.`,
  );
}

const readArgument = (argument: Argument | undefined, text: string): string =>
  argument?.choices ? matchChoice(argument.choices, { rawName: argument.name, value: text }) : text;

function flagValues(command: Command, given: ReadonlyMap<string, readonly string[]>): Input['flags'] {
  const values: Record<string, string | boolean | readonly string[] | undefined> = {};
  for (const [name, flag] of Object.entries(command.flags ?? {})) {
    const texts = given.get(name) ?? [];
    if (texts.length > 1 && !flag.many && flag.value !== undefined)
      throw usageError(`--${name} can be specified only once.`);
    if (flag.required && texts.length === 0)
      throw usageError(`\`signetry ${command.name}\` requires --${name} ${flag.value ?? ''}.`, helpOf(command));
    if (flag.value === undefined) values[name] = texts.length > 0;
    else if (flag.many) values[name] = texts;
    else values[name] = texts[0] ?? flag.initial;
  }
  return values as Input['flags']; // The values are built from the declaration that also defines their type.
}

function checkArguments(command: Command, given: readonly string[]): void {
  const expected = command.arguments ?? [];
  const missing = expected[given.length];
  if (missing && !missing.optional)
    throw usageError(`\`signetry ${command.name}\` requires ${missing.name}: ${missing.about}.`);
  if (given.some((text) => text === '')) throw usageError('Arguments must not be empty.');
  if (given.length > expected.length && !expected.at(-1)?.many)
    throw usageError(
      `\`signetry ${command.name}\` does not accept the argument "${given[expected.length]}".`,
      helpOf(command),
    );
}
