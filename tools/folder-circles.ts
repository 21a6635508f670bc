// Finds folders that import one another in a cycle, through any of their files.
import { isTest, type SourceFile } from './source-files.ts';

/** Returns cycles between the folders directly below a root, and between the subfolders of each of these. */
export function folderCircles(files: readonly SourceFile[], root: string): string[] {
  const below = files.filter(({ path }) => path.startsWith(`${root}/`) && !isTest(path));
  const roots = new Set([root, ...below.flatMap(({ path }) => folderBelow(path, root) ?? [])]);
  return [...roots].flatMap((each) => circlesBetweenFolders(below, each));
}

/**
 * Returns `packages/a/src/ui` for any file below that folder; undefined for files directly in the root or outside it.
 */
function folderBelow(path: string, root: string): string | undefined {
  const [name, ...rest] = path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/') : [];
  return name === undefined || rest.length === 0 ? undefined : `${root}/${name}`;
}

/** Finds cycles between a folder's subfolders; its own files count as one more part. */
function circlesBetweenFolders(files: readonly SourceFile[], root: string): string[] {
  const partOf = (path: string): string | undefined =>
    folderBelow(path, root) ?? (path.startsWith(`${root}/`) ? root : undefined);
  const graph = new Map<string, Map<string, string>>();
  for (const { path, imports } of files) {
    const part = partOf(path);
    for (const { target } of imports) {
      const other = target === undefined ? undefined : partOf(target);
      if (part === undefined || other === undefined || part === other) continue;
      const others = graph.get(part) ?? new Map<string, string>();
      graph.set(part, others.set(other, others.get(other) ?? `${path} imports ${target}`));
    }
  }
  return shortestCircles(graph);
}

/** Returns each cycle once, with an import for each step. One of these imports must be removed. */
function shortestCircles(graph: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const found = new Map<string, string>();
  for (const start of graph.keys()) {
    const trail = wayBack(graph, start);
    if (!trail) continue;
    const key = trail.toSorted().join(' ');
    const why = trail.map((part, at) => graph.get(part)?.get(trail[(at + 1) % trail.length] ?? start));
    if (!found.has(key))
      found.set(
        key,
        `folder cycle: ${[...trail, start].join(' -> ')}: ${why.join('; ')}; move the shared code to a lower folder`,
      );
  }
  return [...found.values()];
}

/** Returns the shortest cycle through a folder, found breadth first. */
function wayBack(
  graph: ReadonlyMap<string, ReadonlyMap<string, string>>,
  start: string,
): readonly string[] | undefined {
  const seen = new Set<string>();
  let trails: readonly (readonly string[])[] = [[start]];
  while (trails.length > 0) {
    const next: (readonly string[])[] = [];
    for (const trail of trails) {
      for (const other of graph.get(trail.at(-1) ?? start)?.keys() ?? []) {
        if (other === start) return trail;
        if (seen.has(other)) continue;
        seen.add(other);
        next.push([...trail, other]);
      }
    }
    trails = next;
  }
  return undefined;
}
