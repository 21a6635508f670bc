// Benchmark results with a description of the machine.
import { cpus, totalmem } from 'node:os';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Target of the project, e.g. `>= 700`. */
  readonly goal?: string;
}

export interface BenchmarkReport {
  readonly name: string;
  readonly figures: readonly Figure[];
  readonly notes?: readonly string[];
}

export function printReport(report: BenchmarkReport, command: string): void {
  const [first] = cpus();
  const machine = `${cpus().length} x ${first?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const versions = { node: process.versions.node, openssl: process.versions.openssl };
  console.log(JSON.stringify({ ...report, command, machine, versions, at: new Date().toISOString() }));
  console.log(`\n${report.name}: ${command}\n${machine}, Node ${versions.node}, OpenSSL ${versions.openssl}\n`);
  console.log('| Figure | Value | Goal |\n| --- | ---: | ---: |');
  for (const { name, value, unit, goal } of report.figures)
    console.log(`| ${name} | ${format(value)} ${unit} | ${goal ?? ''} |`);
  for (const note of report.notes ?? []) console.log(`\n${note}`);
}

const format = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
