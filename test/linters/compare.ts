// Compares our rules with other linters on the same certificates: `node test/linters/compare.ts FOLDER… [--zlint=PATH]
// [--pkilint=PATH] [--only=N]`. Both linters are optional; zlint is installed with `go install`, pkilint from PyPI,
// where its certificate linter is called lint_pkix_cert. `--only` limits pkilint, which takes a second per certificate.
// Only errors of the rule sets for the same RFCs are compared: the other sets have no common scope.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { isPkiError, readCertificate } from '@signetry/pki';
import { findingsOnCertificate } from '@signetry/pki/lint';

const run = promisify(execFile);
const OWN_SETS = ['x509-profile', 'public-keys'];
const ZLINT_SOURCES = 'RFC3279,RFC5280,RFC5480,RFC5891,RFC6962,RFC8813';

type Linter = (file: string, der: Uint8Array) => Promise<string[]>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { zlint: { type: 'string' }, pkilint: { type: 'string' }, only: { type: 'string' } },
});

const own: Linter = (_file, der) => {
  try {
    const findings = findingsOnCertificate(readCertificate(der), { sets: OWN_SETS });
    return Promise.resolve(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule));
  } catch (error) {
    if (isPkiError(error)) return Promise.resolve(['(unreadable)']);
    throw error;
  }
};

/** Returns a linter's parsed JSON output, or undefined if the output is not JSON. */
async function runLinter(program: string, args: readonly string[]): Promise<unknown> {
  // Linters may exit with a nonzero status if they have findings.
  const { stdout } = await run(program, [...args], { maxBuffer: 16 * 1024 * 1024 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

const zlint =
  (program: string): Linter =>
  async (file) => {
    const answer = await runLinter(program, ['-format', 'der', '-includeSources', ZLINT_SOURCES, file]);
    if (answer === undefined) return ['(unreadable)'];
    return Object.entries(answer as Record<string, { result: string }>).flatMap(([name, { result }]) =>
      result === 'error' || result === 'fatal' ? [name] : [],
    );
  };

interface PkilintOutput {
  readonly results: readonly { finding_descriptions: readonly { severity: string; code: string }[] }[];
}

const pkilint =
  (program: string): Linter =>
  async (file) => {
    const answer = await runLinter(program, ['lint', '-f', 'JSON', '-s', 'ERROR', '--document-format', 'DER', file]);
    if (answer === undefined) return ['(unreadable)'];
    return (answer as PkilintOutput).results.flatMap((each) => each.finding_descriptions.map(({ code }) => code));
  };

/** Returns the certificates below folders, without duplicates. */
function certificatesBelow(folders: readonly string[]): Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      if (!/\.(?:crt|cer|der|pem)$/i.test(name) || !statSync(path).isFile()) continue;
      try {
        const { der } = readCertificate(readFileSync(path));
        found.set(der.toHex(), der);
      } catch (error) {
        if (!isPkiError(error)) throw error; // CSRs, CRLs and unreadable files.
      }
    }
  return [...found.values()];
}

const tally = (counts: Map<string, number>, names: Iterable<string>): void => {
  for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
};
const top = (counts: Map<string, number>): string =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 12)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

async function compare(name: string, other: Linter, certificates: readonly Uint8Array[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signetry-linters-'));
  const file = join(folder, 'certificate.der');
  const counts = { bothClean: 0, bothFind: 0, onlyOurs: 0, onlyOther: 0 };
  const [ours, theirs] = [new Map<string, number>(), new Map<string, number>()];
  try {
    for (const der of certificates) {
      writeFileSync(file, der);
      const [mine, others] = [await own(file, der), await other(file, der)];
      if (mine.length > 0 && others.length > 0) counts.bothFind++;
      else if (mine.length + others.length === 0) counts.bothClean++;
      else if (mine.length > 0) counts.onlyOurs++;
      else counts.onlyOther++;
      if (others.length === 0) tally(ours, mine);
      if (mine.length === 0) tally(theirs, others);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(`${name}: ${JSON.stringify({ certificates: certificates.length, ...counts })}`);
  console.log(`  only ours: ${top(ours)}\n  only ${name}: ${top(theirs)}`);
}

const all = certificatesBelow(positionals);
if (values.zlint !== undefined) await compare('zlint', zlint(values.zlint), all);
if (values.pkilint !== undefined)
  await compare('pkilint', pkilint(values.pkilint), all.slice(0, Number(values.only ?? all.length)));
