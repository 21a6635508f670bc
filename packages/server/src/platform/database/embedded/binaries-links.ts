// The package's postinstall script creates links between its libraries. If install scripts are disabled, the links are
// missing and PostgreSQL cannot be loaded. This file creates them in a platform directory for the loader's search path.

import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

import { directoryError } from './errors.ts';
import { isObject } from '../../../kernel/is-object.ts';

/** A link between libraries; both paths are relative to the programs' directory. */
export interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Links all of the programs' libraries, not only the missing ones, because a library found here also looks for its
 * dependencies here.
 */
export function linkLibraries(folder: string, libraryFolder: string): void {
  try {
    mkdirSync(libraryFolder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(join(folder, 'lib')).filter((entry) => entry.includes('.so'))) {
      createLink(join(folder, 'lib', name), join(libraryFolder, name));
    }
    for (const { source, target } of linkPlan(folder)) {
      createLink(join(folder, source), join(libraryFolder, basename(target)));
    }
  } catch (error) {
    throw directoryError(error, libraryFolder);
  }
}

function createLink(to: string, at: string): void {
  try {
    if (readlinkSync(at) === to) return;
  } catch {
    // It is missing or not a link, and is created below.
  }
  rmSync(at, { force: true });
  symlinkSync(to, at);
}

/** Returns the links that the package specifies; empty for directories that do not come from the package. */
export function linkPlan(folder: string): LibraryLink[] {
  const file = join(folder, 'pg-symlinks.json');
  if (!existsSync(file)) return [];
  const links: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(links)) return [];
  // The package's own paths start one level higher.
  const relative = (path: string): string => path.replace(/^native\//, '');
  return links
    .filter(isLibraryLink)
    .map(({ source, target }) => ({ source: relative(source), target: relative(target) }))
    .filter(({ source, target }) => !source.includes('..') && !target.includes('..'));
}

function isLibraryLink(value: unknown): value is LibraryLink {
  if (!isObject(value) || !('source' in value) || !('target' in value)) return false;
  return typeof value.source === 'string' && typeof value.target === 'string';
}
