// Copies the PostgreSQL programs to a directory where the server's user can run them, once per machine and version. A
// copy gets its final name only once it is complete, and only in directories that no other user can change, because
// root must not execute files that another user placed there.

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import type { LibraryLink } from './binaries-links.ts';
import type { ServerIdentity } from './identity.ts';
import { isObject } from '../../../kernel/is-object.ts';

const EVERYBODY_READS = 0o755;
const GROUP_OR_OTHERS_WRITE = 0o022;

/**
 * Returns candidate directories in order of preference. The last one is usually on disk as well, and at worst
 * short-lived.
 */
export function copyLocations({
  identity,
  copyTo,
}: {
  identity: ServerIdentity;
  copyTo?: string | undefined;
}): string[] {
  if (copyTo !== undefined) return [copyTo];
  if (identity.switched) return ['/var/lib/signetry', '/var/cache/signetry', join(tmpdir(), 'signetry')];
  const home = process.env['HOME'];
  const cache = process.env['XDG_CACHE_HOME'] ?? (home === undefined ? undefined : join(home, '.cache'));
  const ours = join(tmpdir(), `signetry-${identity.uid}`);
  return cache === undefined ? [ours] : [join(cache, 'signetry'), ours];
}

export interface CopyRequest {
  readonly from: string;
  readonly place: string;
  readonly links: readonly LibraryLink[];
  /** Whether an existing copy is replaced. */
  readonly replace: boolean;
}

/** Returns the directory of the copy; an existing copy is used unless it must be replaced. */
export function copyPrograms({ from, place, links, replace }: CopyRequest): string {
  prepareLocation(place);
  const copy = join(place, `postgresql-${versionLabel(from)}`);
  if (existsSync(copy)) {
    assertOwned(copy);
    if (!replace) return copy;
    rmSync(copy, { recursive: true });
  }
  const fresh = `${copy}.${randomBytes(6).toString('hex')}.new`;
  try {
    copyTree(from, fresh);
    for (const { source, target } of links) {
      const link = join(fresh, dirname(target), basename(target));
      if (!existsSync(link)) symlinkSync(basename(source), link);
    }
    moveIntoPlace(fresh, copy);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return copy;
}

function prepareLocation(place: string): void {
  if (!existsSync(place)) {
    mkdirSync(place, { recursive: true });
    chmodSync(place, EVERYBODY_READS);
  }
  assertOwned(place);
}

function assertOwned(folder: string): void {
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.geteuid?.() || (found.mode & GROUP_OR_OTHERS_WRITE) !== 0) {
    throw new Error(`${folder} must be a directory that belongs to this user and that no other user can change`);
  }
}

/** If two processes copy simultaneously, the second one uses the result of the first. */
function moveIntoPlace(fresh: string, copy: string): void {
  try {
    renameSync(fresh, copy);
  } catch (error) {
    if (!existsSync(join(copy, 'bin', 'postgres'))) throw error;
    assertOwned(copy);
  }
}

function versionLabel(from: string): string {
  const manifest = join(from, '..', 'package.json');
  if (existsSync(manifest)) {
    const content: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    const version = isObject(content) && 'version' in content ? content.version : '';
    if (typeof version === 'string' && /^[\w.+-]+$/.test(version)) return version;
  }
  const program = statSync(join(from, 'bin', 'postgres'));
  return `${program.size}-${Math.trunc(program.mtimeMs)}`;
}

/** Modes are set explicitly, because a strict umask would make the copy inaccessible again. */
function copyTree(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, EVERYBODY_READS);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      copyFileSync(source, target, constants.COPYFILE_FICLONE);
      chmodSync(target, (statSync(source).mode & 0o111) === 0 ? 0o644 : 0o755);
    }
  }
}
