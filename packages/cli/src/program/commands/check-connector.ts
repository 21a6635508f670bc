// `signetry connector check`: tests whether a running connector, in any programming language, conforms to the
// interface.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { CheckResult, ConformanceReport, GivenValues, Outcome } from '@signetry/connector-conformance';
import { FunctionGroupCode } from '@signetry/contract';
import { command } from '../command-line/command.ts';
import { parseHttpUrl } from '../command-line/flag-values.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { messageOf, usageError } from '../failures.ts';
import { printable } from '../output/printable.ts';
import { renderTable, type Column, type Tone } from '../output/table.ts';
import { trustingFetch } from '../platform/trusting-fetch.ts';

export const checkConnectorCommand = command({
  name: 'connector check',
  about: 'Check that a running connector conforms to the interface; exits with 1 if it does not',
  arguments: [{ name: 'URL', about: 'URL of the connector, e.g. http://127.0.0.1:9000' }],
  flags: {
    group: { value: 'GROUP', many: true, choices: FunctionGroupCode.options, about: 'Check only this function group' },
    kind: { value: 'KIND', many: true, about: 'Check only this kind' },
    auth: { value: 'FILE', about: 'File of authentication headers, one per line: X-API-KEY: …' },
    attributes: {
      value: 'FILE',
      about: 'JSON file of attribute values that cannot be generated: {"KIND": {"ATTRIBUTE": value}}',
    },
    cert: {
      value: 'FILE',
      about: 'Client certificate with its chain (PEM), if the connector requires one; use with --key',
    },
    key: { value: 'FILE', about: 'Private key of the client certificate (PEM, without a password)' },
    ca: { value: 'FILE', about: "Root certificate (PEM) to trust instead of the system's roots" },
  },
  details: [
    'Calls every operation of the function groups that the connector declares, as a platform would, and compares each response with the interface. It performs real issuance, revocation, discovery and key generation: use a test instance of the system behind the connector. Objects that it creates are removed again.',
    'Attribute values are derived from their definitions: presets, first choices, and strings and numbers within the constraints. Specify all other values, e.g. a server address, with --attributes.',
  ],
  examples: [
    'signetry connector check http://127.0.0.1:9000',
    'signetry connector check https://connector.example --attributes values.json --auth key.txt',
    'signetry connector check https://connector.example --ca root.pem --cert platform.pem --key platform.key.pem',
  ],
  async run({ args: [address = ''], flags, json }, context) {
    const url = parseHttpUrl('URL', address);
    const { checkConnector, GivenValues, httpTransport } = await import('@signetry/connector-conformance');
    const headers = flags.auth === undefined ? {} : headersIn(await contentOf('--auth', flags.auth, context));
    const values = flags.attributes === undefined ? {} : await readValues(flags.attributes, context, GivenValues);
    const fetch = await fetchOf(flags, url, context);
    const report = await checkConnector({
      transport: httpTransport(url, { headers, ...(fetch ? { fetch } : {}) }),
      groups: flags.group.length === 0 ? undefined : flags.group.map((code) => FunctionGroupCode.parse(code)),
      kinds: flags.kind.length === 0 ? undefined : flags.kind,
      values,
      secrets: Object.values(headers),
      signal: context.signal,
    });
    if (json) printJson(context, report);
    else context.out(reportText(report, context));
    return report.conforms ? EXIT.ok : EXIT.failed;
  },
});

interface TlsFlags {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** Returns a custom `fetch` if TLS options are specified. */
async function fetchOf({ ca, cert, key }: TlsFlags, url: string, context: Context) {
  if ((cert === undefined) !== (key === undefined)) throw usageError('--cert and --key must be specified together.');
  if (ca === undefined && cert === undefined) return undefined;
  if (!url.startsWith('https:')) throw usageError('--ca, --cert and --key require an https URL.');
  const trusted = ca === undefined ? undefined : [await contentOf('--ca', ca, context)];
  if (cert === undefined || key === undefined) return trustingFetch(trusted);
  const pair = { cert: await contentOf('--cert', cert, context), key: await contentOf('--key', key, context) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw usageError(
      `Cannot use --cert and --key: ${messageOf(error)}`,
      'They must be a matching pair of PEM files; the key must not have a password.',
    );
  }
  return trustingFetch(trusted, pair);
}

async function contentOf(flag: string, path: string, { cwd }: Context): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch (error) {
    throw usageError(`${flag}: cannot read ${path}: ${messageOf(error)}`);
  }
}

/** Parses header lines: a name, a colon, a value (RFC 9112 §5). */
function headersIn(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const headers = lines.map((line) => /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):\s*(\S.*?)\s*$/.exec(line));
  // The error does not quote the line because it contains a secret.
  if (lines.length === 0 || headers.includes(null))
    throw usageError(
      '--auth: the file must contain lines of the form NAME: VALUE, e.g. X-API-KEY: followed by the key.',
    );
  return Object.fromEntries(headers.map((found) => [found?.[1] ?? '', found?.[2] ?? '']));
}

async function readValues(
  path: string,
  context: Context,
  schema: { safeParse(value: unknown): { readonly success: boolean; readonly data?: GivenValues } },
): Promise<GivenValues> {
  const text = await contentOf('--attributes', path, context);
  try {
    const outcome = schema.safeParse(JSON.parse(text));
    if (outcome.data) return outcome.data;
  } catch {
    // Invalid JSON is rejected below.
  }
  throw usageError(`--attributes: ${path} must be JSON of the form {"KIND": {"ATTRIBUTE": value}}.`);
}

const WORDS: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  notOffered: 'not offered',
  notChecked: 'not checked',
};
const TONES: Readonly<Record<Outcome, Tone | undefined>> = {
  passed: 'good',
  failed: 'bad',
  notOffered: undefined,
  notChecked: 'warning',
};

const columns: readonly Column<CheckResult>[] = [
  { title: 'Outcome', isWhole: true, text: ({ outcome }) => WORDS[outcome], tone: ({ outcome }) => TONES[outcome] },
  { title: 'Function group', isMinor: true, text: ({ group = '' }) => group },
  { title: 'Kind', isMinor: true, text: ({ kind = '' }) => kind },
  { title: 'The connector', text: ({ check }) => check },
];

function reportText({ results, counts }: ConformanceReport, { colour, width }: Context): string {
  const { passed, failed, notOffered, notChecked } = counts;
  const failures = results.filter(({ outcome }) => outcome === 'failed').map(failureText);
  return [
    renderTable(results, { columns, colour, width }),
    ...failures,
    ...results.filter(({ notes }) => notes).map(notesText),
    `${passed} passed, ${failed} failed, ${notOffered} not offered, ${notChecked} not checked.`,
  ].join('\n\n');
}

const titleOf = ({ group, kind, check }: CheckResult): string => {
  const place = [group, kind].filter((part) => part !== undefined).join(' ');
  return `${place === '' ? '' : `${place}: `}${check}`;
};

/** Lists deviations from the published document that platforms accept. */
const notesText = (result: CheckResult): string =>
  [`Note on ${titleOf(result)}`, ...(result.notes ?? []).map((note) => `  ${printable(note)}`)].join('\n');

function failureText(result: CheckResult): string {
  const { problem = '', evidence } = result;
  const formatField = (title: string, text: string): string[] =>
    text.split('\n').map((line, at) => `  ${(at === 0 ? title : '').padEnd(10)}${printable(line)}`);
  return [
    `FAILED ${titleOf(result)}`,
    `  ${printable(problem)}`,
    ...(evidence
      ? [
          ...formatField('sent', evidence.sent),
          ...formatField('received', evidence.received),
          ...formatField('expected', evidence.expected),
        ]
      : []),
  ].join('\n');
}
