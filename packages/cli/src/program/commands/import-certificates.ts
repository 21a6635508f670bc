// `signetry certificates import`: imports certificates from files and directories, in batches. Known certificates are
// left unchanged, so an interrupted import can simply be repeated.
import {
  addFindings,
  describeFinding,
  describePosition,
  ImportBatch,
  rejectionsOf,
  type FileFinding,
  type FilePiece,
  type FileRejection,
} from '@signetry/client';
import type { CertificateImportReport } from '@signetry/contract';
import { resolve } from 'node:path';
import { filesBelow, readPieces } from '../certificates/import-pieces.ts';
import { sendPieces, type ImportParts } from '../certificates/send-pieces.ts';
import { command, type Flags } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { CliFailure, describeFailure } from '../failures.ts';
import { printable } from '../output/printable.ts';
import { connect } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

/** Maximum number of rejections to print; `--json` includes all. */
const MAX_SHOWN = 50;
const BAR_WIDTH = 24;

export const importCertificates = command({
  name: 'certificates import',
  about: 'Import certificates from files and directories into the inventory',
  arguments: [
    { name: 'PATH', about: 'file with certificates (PEM, DER, PKCS #7), or directory of such files', many: true },
  ],
  flags: { ...connectionFlags } as const satisfies Flags,
  details: [
    'Certificates that are already in the inventory are left unchanged: after an interruption, run the same command again. Unreadable certificates are reported with their position, and the exit code is 1; all others are imported.',
  ],
  examples: ['signetry certificates import bundle.pem', 'signetry certificates import /etc/ssl/certs old-inventory/'],
  async run({ args, flags, json }, context) {
    const files = await filesBelow(args.map((path) => resolve(context.cwd, path)));
    if (files.length === 0) throw new CliFailure('The directories contain no files.');
    const connection = await connect(flags, context);
    const report = await importFiles(files, { connection, context });
    if (json) printJson(context, report);
    else reportOutcome(report, context);
    return report.refused === 0 ? EXIT.ok : EXIT.failed;
  },
});

interface ImportOutcome extends Pick<CertificateImportReport, 'imported' | 'known'> {
  readonly files: number;
  readonly refused: number;
  readonly refusals: readonly FileRejection[];
  /** Variants of certificate files that were accepted. */
  readonly findings: readonly FileFinding[];
}

async function importFiles(files: readonly string[], parts: ImportParts): Promise<ImportOutcome> {
  const { context } = parts;
  const refusals: FileRejection[] = [];
  let findings: FileFinding[] = [];
  const counts = { imported: 0, known: 0 };
  const batch = new ImportBatch();
  const send = async (pieces: readonly FilePiece[]): Promise<void> => {
    if (pieces.length === 0) return;
    const report = await sendPieces(pieces, parts);
    counts.imported += report.imported;
    counts.known += report.known;
    refusals.push(...rejectionsOf(report, pieces));
    findings = addFindings(findings, report, pieces);
  };
  for (const [index, path] of files.entries()) {
    context.signal.throwIfAborted();
    const pieces = await readPieces(path).catch((error: unknown) => {
      refusals.push({ name: path, reason: describeFailure(error).message });
      return [];
    });
    for (const piece of pieces) await send(batch.add(piece));
    context.status?.(barOf(index + 1, files.length, { ...counts, refused: refusals.length }));
  }
  await send(batch.take());
  context.status?.('');
  return { files: files.length, ...counts, refused: refusals.length, refusals, findings };
}

/** `[#########---------------] 12 of 40 files, 4,000 imported` */
function barOf(done: number, total: number, counts: Pick<ImportOutcome, 'imported' | 'known' | 'refused'>): string {
  const filled = Math.floor((done / total) * BAR_WIDTH);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_WIDTH - filled);
  return `[${bar}] ${count(done)} of ${count(total)} files, ${summaryOf(counts)}`;
}

const count = (number: number): string => number.toLocaleString('en');

const summaryOf = ({ imported, known, refused }: Pick<ImportOutcome, 'imported' | 'known' | 'refused'>): string =>
  `${count(imported)} imported, ${count(known)} already known, ${count(refused)} rejected`;

function reportOutcome(outcome: ImportOutcome, context: Context): void {
  for (const refusal of outcome.refusals.slice(0, MAX_SHOWN)) {
    const place = describePosition(refusal);
    context.err(printable(`${refusal.name}${place === '' ? '' : `, ${place}`}: ${refusal.reason}`));
  }
  sayRest(outcome.refusals.length, context);
  for (const finding of outcome.findings.slice(0, MAX_SHOWN))
    context.err(printable(`${finding.name}: accepted: ${describeFinding(finding)}`));
  sayRest(outcome.findings.length, context);
  context.out(`${count(outcome.files)} ${outcome.files === 1 ? 'file' : 'files'}: ${summaryOf(outcome)}.`);
}

function sayRest(total: number, context: Context): void {
  if (total > MAX_SHOWN) context.err(`And ${count(total - MAX_SHOWN)} more; --json prints all of them.`);
}
