// Help, generated from the declared commands.
import { exitCodes } from '../exit-codes.ts';
import type { Argument, Command, Flag, Flags } from './command.ts';

const HEADINGS: readonly { readonly title: string; readonly accepts: (name: string) => boolean }[] = [
  { title: 'Platform', accepts: (name) => /^(?:start|status|config|connector(?: check)?|db check)$/.test(name) },
  { title: 'Certificates', accepts: (name) => /^(?:certificate|discover$|lint$|compliance$|simulate$)/.test(name) },
  { title: 'Approvals', accepts: (name) => name.startsWith('approvals ') },
  { title: 'ACME', accepts: (name) => /^acme\b/.test(name) },
  {
    title: 'CMP, SCEP and EST',
    accepts: (name) => /^(?:(?:cmp|scep|est)-profiles|enrollments|enrollment-secrets) /.test(name),
  },
  {
    title: 'Connectors, credentials and authorities',
    accepts: (name) => /^(?:connectors|credentials|authorities|oids) /.test(name),
  },
  { title: 'Discoveries and scheduled jobs', accepts: (name) => /^(?:discoveries|jobs) /.test(name) },
  { title: 'Entities and locations', accepts: (name) => /^(?:entities|locations) /.test(name) },
  { title: 'Token keys', accepts: (name) => /^(?:token-store|keys) /.test(name) },
  {
    title: 'Access and audit',
    accepts: (name) => /^(?:sign-in|login|token|users|audit|events|keys-at-rest)(?: |$)/.test(name),
  },
  { title: 'Shell', accepts: (name) => name === 'completion' },
];

const FINDING =
  'Commands find the platform through run.json in its data directory: --data DIR, SIGNETRY_DATA, ./data, or the data directory of the clone. To connect to a different platform, specify --url (SIGNETRY_URL) and a token (--token-file or SIGNETRY_TOKEN), or a context saved by `signetry login`: --context (SIGNETRY_CONTEXT).';

/** Width of help texts in columns. Example lines are not wrapped, so that they can be copied. */
const WIDTH = 110;

/** Wraps text at spaces; continuation lines are indented. */
function wrap(text: string, indent = 0): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + word.length >= WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

/** Returns an overview of all commands. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((one) => usageOf(one).length));
  const listed = HEADINGS.map(({ title, accepts }) =>
    [
      title,
      ...commands.filter(({ name }) => accepts(name)).map((one) => `  ${usageOf(one).padEnd(width)}  ${one.about}`),
    ].join('\n'),
  );
  return [
    'signetry COMMAND [ARGUMENTS] [FLAGS]',
    ...listed,
    'All commands accept --json (print the API response) and --help.',
    wrap(FINDING),
    ['Exit codes', ...exitCodes.map(({ code, about }) => `  ${String(code).padEnd(3)}  ${about}`)].join('\n'),
  ].join('\n\n');
}

/** Returns the overview of a command group, e.g. `certificates`. */
export function groupHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((one) => usageOf(one).length));
  return commands.map((one) => `${usageOf(one).padEnd(width)}  ${one.about}`).join('\n');
}

/**
 * Returns the help for one command, with its arguments and flags. `settings` are the platform's own flags, for commands
 * that accept them.
 */
export function commandHelp(command: Command, settings: Flags = {}): string {
  const flags: readonly FlagText[] = [
    ...Object.entries({ ...command.flags, ...settings }).map(([name, flag]) => flagText(name, flag)),
    { usage: '--json', about: 'Print JSON' },
    { usage: '--help', about: 'Print this help' },
  ];
  const texts = (command.arguments ?? []).map(argumentFacts);
  return [
    `signetry ${usageOf(command)} [FLAGS]`,
    `${command.about}.`,
    ...(command.details ?? []).map((text) => wrap(text)),
    ...section('Arguments', texts),
    ...section('Flags', flags),
    ...(command.examples ? [['Examples', ...command.examples.map((line) => `  ${line}`)].join('\n')] : []),
  ].join('\n\n');
}

interface FlagText {
  readonly usage: string;
  readonly about: string;
}

function section(title: string, lines: readonly FlagText[]): string[] {
  if (lines.length === 0) return [];
  const width = Math.max(...lines.map(({ usage }) => usage.length));
  return [
    [title, ...lines.map(({ usage, about }) => `  ${usage.padEnd(width)}  ${wrap(about, width + 4)}`)].join('\n'),
  ];
}

const argumentFacts = ({ name, about, choices }: Argument): FlagText => ({
  usage: name,
  about: choices ? `${about} (one of ${choices.join(', ')})` : about,
});

function flagText(name: string, flag: Flag): FlagText {
  const facts = [
    ...(flag.choices ? [`one of ${flag.choices.join(', ')}`] : []),
    ...(flag.initial === undefined ? [] : [`default ${flag.initial}`]),
    ...(flag.many ? ['may be repeated'] : []),
    ...(flag.required ? ['required'] : []),
  ];
  return {
    usage: `--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`,
    about: `${flag.about}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`,
  };
}

const usageOf = ({ name, arguments: expected = [] }: Command): string =>
  [name, ...expected.map(argumentText)].join(' ');

function argumentText({ name, many, optional }: Argument): string {
  const text = `${name}${many ? '…' : ''}`;
  return optional ? `[${text}]` : text;
}
