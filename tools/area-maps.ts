// The header of index.ts in the largest areas contains a map that shows which file does what: after an empty comment
// line, one line per subject that starts with its files and folders. Everything named in a map must exist.
import { dirname } from 'node:path/posix';
import { isTest, type SourceFile } from './source-files.ts';

const INDEX = /^packages\/server\/src\/(?:areas|protocols)\/[\w-]+\/index\.ts$/;
const LARGEST = 12;
/** Shorter maps lack detail; longer ones are mere listings. */
const LINES = { fewest: 5, most: 18 };
/** Files, and folders with a trailing slash. */
const NAME = /(?<![\w/])(?:[\w-]+\/)*(?:[\w-]+\.ts|[\w-]+\/)(?![\w/])/g;

export function mapProblems(files: readonly SourceFile[]): string[] {
  const paths = files.map(({ path }) => path);
  const indexes = files.filter(({ path }) => INDEX.test(path));
  const largest = indexes
    .map((index) => ({ index, lines: linesBelow(dirname(index.path), files) }))
    .toSorted((a, b) => b.lines - a.lines)
    .slice(0, LARGEST)
    .map(({ index }) => index);
  return indexes.flatMap((index) => {
    const map = mapOf(index);
    const { length } = map;
    if (length === 0 && !largest.includes(index)) return [];
    const problems = length < LINES.fewest || length > LINES.most ? [lengthProblem(index, length)] : [];
    return [...problems, ...missing(index, { map, paths })];
  });
}

const lengthProblem = ({ path }: SourceFile, length: number): string =>
  `${path}: the area map has ${length} lines; it must have ${LINES.fewest} to ${LINES.most}`;

const linesBelow = (folder: string, files: readonly SourceFile[]): number =>
  files
    .filter(({ path }) => path.startsWith(`${folder}/`) && !isTest(path))
    .reduce((sum, { text }) => sum + text.split('\n').length, 0);

/** Returns the lines of the file header after its first empty comment line. */
export function mapOf({ text }: Pick<SourceFile, 'text'>): readonly string[] {
  const head = /^(?:\/\/.*\n?)*/.exec(text)?.[0].trimEnd().split('\n') ?? [];
  const gap = head.findIndex((line) => line.trim() === '//');
  return gap < 0 ? [] : head.slice(gap + 1).map((line) => line.replace(/^\/\/ ?/, ''));
}

function missing(
  { path }: SourceFile,
  { map, paths }: { readonly map: readonly string[]; readonly paths: readonly string[] },
): string[] {
  const folder = dirname(path);
  const isThere = (name: string): boolean =>
    paths.some((each) => (name.endsWith('/') ? each.startsWith(`${folder}/${name}`) : each === `${folder}/${name}`));
  // A bare file name may be relative to the last folder on the same line.
  return map.flatMap((line) => {
    let within = '';
    return [...line.matchAll(NAME)].flatMap(([name]) => {
      const candidates = [name, `${within}${name}`];
      const slash = name.lastIndexOf('/') + 1;
      if (slash > 0) within = name.slice(0, slash);
      return candidates.some(isThere) ? [] : [`${path}: the area map names ${name}, which does not exist`];
    });
  });
}
