// The largest areas say at the head of their index.ts which file does what: below an empty comment line, a line for
// each subject that begins with its files and folders. What such a map names has to be there.
import { dirname } from 'node:path/posix';
import { isTest, type SourceFile } from './source-files.ts';

const INDEX = /^packages\/server\/src\/(?:areas|protocols)\/[\w-]+\/index\.ts$/;
const LARGEST = 12;
/** Fewer lines tell too little, and more are no map but a listing. */
const LINES = { fewest: 5, most: 18 };
/** Files, and folders, which end with a slash. */
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
  `${path}: its map of the area has ${length} lines, and should have ${LINES.fewest} to ${LINES.most}`;

const linesBelow = (folder: string, files: readonly SourceFile[]): number =>
  files
    .filter(({ path }) => path.startsWith(`${folder}/`) && !isTest(path))
    .reduce((sum, { text }) => sum + text.split('\n').length, 0);

/** The lines of the head that follow its first empty one. */
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
  // A file that is named alone may be in the folder that the line named before it.
  return map.flatMap((line) => {
    let within = '';
    return [...line.matchAll(NAME)].flatMap(([name]) => {
      const candidates = [name, `${within}${name}`];
      const slash = name.lastIndexOf('/') + 1;
      if (slash > 0) within = name.slice(0, slash);
      return candidates.some(isThere) ? [] : [`${path}: its map names ${name}, which is not there`];
    });
  });
}
