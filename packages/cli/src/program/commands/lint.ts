// `signetry lint`: checks certificates, CSRs and keys in files against the rules, without a platform.
import { CERTIFICATE_SETS, KEY_SETS, REQUEST_SETS, type LintFinding, type Severity } from '@signetry/pki/lint';
import { lintFiles, type LintedObject } from '../certificates/lint-objects.ts';
import { command } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { usageError } from '../failures.ts';
import { printable } from '../output/printable.ts';
import { renderTable, type Column, type Tone } from '../output/table.ts';

const CODES: readonly string[] = [...CERTIFICATE_SETS, ...REQUEST_SETS, ...KEY_SETS].map(({ code }) => code);

export const lint = command({
  name: 'lint',
  about: 'Check certificates, CSRs and public keys in files; exits with 1 if there are errors',
  arguments: [{ name: 'FILE', about: 'file with certificates, CSRs or public keys (PEM, DER, PKCS #7)', many: true }],
  flags: {
    groups: { value: 'GROUP,…', about: `Only rules in these groups: ${CODES.join(', ')}` },
  },
  details: [
    'Nothing is sent over the network, and no platform is required. A certificate is also checked against its issuer if one of the files contains it. CA/Browser Forum and root program rules apply to certificates that assert one of their policies.',
    'docs/reference/rules.md lists all rules with their sources.',
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
    else printObjects(objects, counts, context);
    return counts.errors === 0 ? EXIT.ok : EXIT.failed;
  },
});

function setsOf(given: string | undefined): string[] | undefined {
  if (given === undefined) return undefined;
  const codes = given.split(',').map((code) => code.trim().toLowerCase());
  const unknown = codes.find((code) => !CODES.includes(code));
  if (unknown !== undefined) throw usageError(`--groups: unknown group "${unknown}".`, `Groups: ${CODES.join(', ')}.`);
  return codes;
}

interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly notices: number;
}

/** Unreadable objects count as errors. */
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

function printObjects(objects: readonly LintedObject[], { errors, warnings, notices }: Counts, context: Context): void {
  for (const object of objects) context.out(`${objectText(object, context)}\n`);
  context.err(
    `${plural(errors, 'error')}, ${plural(warnings, 'warning')} and ${plural(notices, 'notice')} in ${plural(objects.length, 'object')}.`,
  );
}

/** Returns a table, followed by messages and remedies, which are too long for columns. */
function objectText(
  { file, kind, title, findings, fileFindings = [] }: LintedObject,
  { colour, width }: Context,
): string {
  const name = `${file}: ${kind === 'unreadable' ? 'unreadable' : kind}: ${title}`;
  const heading = [name, ...fileFindings.map((finding) => `File format: ${finding}`)].map(printable).join('\n');
  if (findings.length === 0) return kind === 'unreadable' ? heading : `${heading}\nNo findings.`;
  const sorted = findings.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  const sentences = sorted.map(({ rule, message, remedy }) => printable(`${rule}: ${message} ${remedy}`));
  return [heading, '', renderTable(sorted, { columns, colour, width }), '', ...sentences].join('\n');
}
