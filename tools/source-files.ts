// Source files of the repository and their imports, for the repository checks.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

export interface SourceImport {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** Path relative to the root, if the specifier is relative. */
  readonly target: string | undefined;
}

export interface SourceFile {
  /** Path relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly SourceImport[];
}

const SKIPPED = new Set(['node_modules', '.git', 'data', 'dist', 'coverage', '.cache']);

/** Returns the files below a folder, in a stable order. */
export function filesBelow(folder: string, accept: (path: string) => boolean): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) found.push(...filesBelow(path, accept));
    } else if (accept(path)) found.push(path);
  }
  return found;
}

export const sourceFiles = (): SourceFile[] =>
  ['packages', 'tools', 'test'].flatMap((folder) => filesBelow(folder, (path) => /\.tsx?$/.test(path))).map(readSource);

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, imports: readImports(path, text) };
}

const STATEMENT = /^\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

export function readImports(path: string, text: string): SourceImport[] {
  const target = (specifier: string) =>
    specifier.startsWith('.') ? relative(ROOT, normalize(join(ROOT, dirname(path), specifier))) : undefined;
  const statements = [...text.matchAll(STATEMENT)].map(([, typeOnly, specifier = '']) => ({
    specifier,
    typeOnly: typeOnly !== undefined,
    target: target(specifier),
  }));
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, specifier = '']) => ({
    specifier,
    typeOnly: false,
    target: target(specifier),
  }));
  return [...statements, ...dynamic];
}

/** Tests, their helpers, and benchmarks. */
export const isTest = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) ||
  path.includes('/testing/') ||
  /\/test-[\w-]+\.ts$/.test(path) ||
  path.includes('/bench/');
