// `signetry lint`: certificates, requests and keys in files against the rules; no platform is needed.
import { CERTIFICATE_SETS, KEY_SETS, REQUEST_SETS, type LintFinding, type Severity } from '@signetry/pki/lint';
import { lintFiles, type LintedObject } from '../certificates/lint-objects.ts';
import { command } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { wrongUsage } from '../failures.ts';
import { printable } from '../output/printable.ts';
import { renderTable, type Column, type Tone } from '../output/table.ts';

const CODES: readonly string[] = [...CERTIFICATE_SETS, ...REQUEST_SETS, ...KEY_SETS].map(({ code }) => code);

export const lint = command({
  name: 'lint',
  about: 'Check certificates, requests and public keys in files; exits with 1 when there are errors',
  arguments: [
    { name: 'FILE', about: 'file with certificates, requests or public keys (PEM, DER, PKCS#7)', many: true },
  ],
  flags: {
    groups: { value: 'GROUP,…', about: `Only the rules of these groups: ${CODES.join(', ')}` },
  },
  details: [
    'Nothing is sent anywhere, and no platform has to run. A certificate is compared with its issuer when that is in one of the files. Rules of the CA/Browser Forum and of root programs apply to certificates that name one of its policies.',
    'All rules with their sources are in docs/reference/rules.md.',
  ],
  examples: [
    'signetry lint web.pem',
    'signetry lint fullchain.pem --groups tls-baseline,chrome',
    'signetry lint request.csr --json',
  ],
  async run({ args, flags, json }, context) {
    const objects = await lintFiles(args, { cwd: context.cwd, sets: setsOf(flags.groups) });
    const counts = countsOf(objects);
    if (json) printJson(context, { objects, ...counts });
    else tell(objects, counts, context);
    return counts.errors === 0 ? EXIT.ok : EXIT.failed;
  },
});

function setsOf(given: string | undefined): string[] | undefined {
  if (given === undefined) return undefined;
  const codes = given.split(',').map((code) => code.trim().toLowerCase());
  const unknown = codes.find((code) => !CODES.includes(code));
  if (unknown !== undefined)
    throw wrongUsage(`--groups: there is no group ${unknown}.`, `Groups: ${CODES.join(', ')}.`);
  return codes;
}

interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly notices: number;
}

/** What cannot be read is an error. */
function countsOf(objects: readonly LintedObject[]): Counts {
  const findings = objects.flatMap((object) => object.findings);
  const count = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  const unreadable = objects.filter(({ kind }) => kind === 'unreadable').length;
  return { errors: count('error') + unreadable, warnings: count('warning'), notices: count('notice') };
}

const TONES: Readonly<Record<Severity, Tone | undefined>> = { error: 'bad', warning: 'warning', notice: undefined };
const ORDER: readonly Severity[] = ['error', 'warning', 'notice'];

const columns: readonly Column<LintFinding>[] = [
  { title: 'Severity', isWhole: true, text: ({ severity }) => severity, tone: ({ severity }) => TONES[severity] },
  { title: 'Rule', isWhole: true, text: ({ rule }) => rule },
  { title: 'Field', isMinor: true, text: ({ field, value }) => (value === undefined ? field : `${field}: ${value}`) },
  { title: 'Source', isMinor: true, text: ({ citation }) => citation },
];

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function tell(objects: readonly LintedObject[], { errors, warnings, notices }: Counts, context: Context): void {
  for (const object of objects) context.out(`${objectText(object, context)}\n`);
  context.err(
    `${plural(errors, 'error')}, ${plural(warnings, 'warning')} and ${plural(notices, 'notice')} in ${plural(objects.length, 'object')}.`,
  );
}

/** A table, and under it what is wrong and what to do: sentences do not fit into columns. */
function objectText({ file, kind, title, findings }: LintedObject, { colour, width }: Context): string {
  const heading = printable(`${file}: ${kind === 'unreadable' ? 'cannot be read' : kind}: ${title}`);
  if (findings.length === 0) return kind === 'unreadable' ? heading : `${heading}\nNothing found.`;
  const sorted = findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  const sentences = sorted.map(({ rule, message, remedy }) => printable(`${rule}: ${message} ${remedy}`));
  return [heading, '', renderTable(sorted, { columns, colour, width }), '', ...sentences].join('\n');
}
