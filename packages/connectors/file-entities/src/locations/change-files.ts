// Changes all of a location's files together, or none of them. New files are written under temporary names and renamed.
// Replaced files are kept until the next change and restored if something fails, even if the connection was lost.
import { randomBytes } from 'node:crypto';
import { ConnectorError, rejected, unavailable } from '@signetry/connector-sdk';
import { equalBytes } from '@signetry/pki';
import type { MachineAccess } from '../machines/open-machine.ts';
import { MachineError, type Machine } from '../machines/machine.ts';
import { PREVIOUS } from './read-location.ts';

export interface FileChange {
  readonly path: string;
  /** Undefined if there must be no file. */
  readonly bytes: Uint8Array | undefined;
  readonly mode: number;
  readonly owner: string | undefined;
  /**
   * Content from which `bytes` was created; a file that has changed since is not overwritten. If omitted, the file is
   * overwritten regardless of its content.
   */
  readonly madeFrom?: { readonly bytes: Uint8Array | undefined };
}

/** A reload command configured by the operator. */
export interface Reload {
  readonly name: string;
  readonly command: string;
}

export interface FileChanges {
  readonly changes: readonly FileChange[];
  /** Rereads the files as the server will; rejects if they do not have the expected content. */
  readonly verify?: ((machine: Machine) => Promise<void>) | undefined;
  readonly reload: Reload | undefined;
}

/** Suffixes of hard links that are about to replace a file. */
const KEPT = '-kept';
const BACK = '-back';

/** Whether each file existed before, by path. */
type ExistingFiles = ReadonlyMap<string, boolean>;

/**
 * If a change fails, restores everything and rejects (422, or 503 if the machine is unreachable); rejects with 500 if
 * restoring fails.
 */
export async function changeFiles(access: MachineAccess, { changes, verify, reload }: FileChanges): Promise<void> {
  const { machine } = access;
  const ending = `.${randomBytes(6).toString('hex')}.part`;
  try {
    await stage(machine, changes, ending);
  } catch (error) {
    await ignoreErrors(() => withLiveMachine(access, error, (live) => removeStaged(live, changes, ending)));
    throw rejectionFor(error, 'Nothing was changed.');
  }
  const before = new Map<string, boolean>();
  try {
    for (const change of changes) await requireUnchanged(machine, change);
    for (const { path } of changes) before.set(path, await retainPrevious(machine, path, ending));
    for (const change of changes) await applyChange(machine, change, ending);
    await flush(machine, changes);
    for (const change of changes) await requireWritten(machine, change);
    await verify?.(machine);
    if (reload) await runReload(machine, reload);
  } catch (error) {
    throw await rollBack({ access, changes, reload, ending, before, error });
  }
}

async function stage(machine: Machine, changes: readonly FileChange[], ending: string): Promise<void> {
  for (const { path, bytes, mode, owner } of changes) {
    if (!bytes) continue;
    const staged = `${path}${ending}`;
    await machine.write(staged, bytes, mode);
    if (owner !== undefined && (await machine.rights(staged))?.owner !== owner) await machine.setOwner(staged, owner);
  }
}

async function removeStaged(machine: Machine, changes: readonly FileChange[], ending: string): Promise<void> {
  for (const { path } of changes) for (const left of ['', KEPT, BACK]) await machine.remove(`${path}${ending}${left}`);
}

/** Rejects a file that has changed since it was read: others may also write it, and their changes would be lost. */
async function requireUnchanged(machine: Machine, { path, madeFrom }: FileChange): Promise<void> {
  if (!madeFrom) return;
  const present = await machine.read(path);
  const isSame = present && madeFrom.bytes ? equalBytes(present, madeFrom.bytes) : present === madeFrom.bytes;
  if (!isSame) throw new ChangedError(`${path} was changed by someone else in the meantime`);
}

/** Keeps the file under a second name, with its owner and mode. Returns whether the file exists. */
async function retainPrevious(machine: Machine, path: string, ending: string): Promise<boolean> {
  if ((await machine.read(path)) === undefined) {
    await machine.remove(`${path}${PREVIOUS}`);
    return false;
  }
  await replaceByLink(machine, { from: path, to: `${path}${PREVIOUS}`, by: `${path}${ending}${KEPT}` });
  return true;
}

async function replaceByLink(
  machine: Machine,
  { from, to, by }: { readonly from: string; readonly to: string; readonly by: string },
): Promise<void> {
  await machine.link(from, by);
  await machine.rename(by, to);
  await machine.remove(by); // rename(2) does nothing if both names refer to the same file.
}

const applyChange = (machine: Machine, { path, bytes }: FileChange, ending: string): Promise<void> =>
  bytes ? machine.rename(`${path}${ending}`, path) : machine.remove(path);

/** Checks the stored content, which can differ because of a full disk or an intermediate file system. */
async function requireWritten(machine: Machine, { path, bytes }: Pick<FileChange, 'path' | 'bytes'>): Promise<void> {
  const present = await machine.read(path);
  const isSame = present && bytes ? equalBytes(present, bytes) : present === bytes;
  if (!isSame) throw new MachineError(`${path} does not contain what was written to it`);
}

async function flush(machine: Machine, changes: readonly FileChange[]): Promise<void> {
  for (const { path } of changes) await machine.flushNames(path);
}

/** A problem that was detected before anything was changed. */
class ChangedError extends Error {}

class ReloadError extends Error {}

async function runReload(machine: Machine, { name, command }: Reload): Promise<void> {
  const { succeeded, outcome } = await machine.run(command);
  if (!succeeded) throw new ReloadError(`The reload command "${name}" failed on ${machine.name} (${outcome})`);
}

interface Failure {
  readonly access: MachineAccess;
  readonly changes: readonly FileChange[];
  readonly reload: Reload | undefined;
  readonly ending: string;
  readonly before: ExistingFiles;
  readonly error: unknown;
}

/** Restores the previous files and returns the error to report. */
async function rollBack(failure: Failure): Promise<Error> {
  const { access, changes, reload, ending, before, error } = failure;
  if (error instanceof ChangedError) {
    await ignoreErrors(() => removeStaged(access.machine, changes, ending));
    return rejected(`${error.message}. Nothing was changed; try again.`);
  }
  try {
    const reloaded = await withLiveMachine(access, error, async (machine) => {
      for (const { path } of changes) {
        if (before.get(path) === true)
          await replaceByLink(machine, { from: `${path}${PREVIOUS}`, to: path, by: `${path}${ending}${BACK}` });
        else if (before.get(path) === false) await machine.remove(path);
      }
      await removeStaged(machine, changes, ending);
      await flush(machine, changes);
      if (!(error instanceof ReloadError) || !reload) return '';
      const again = await machine.run(reload.command);
      return again.succeeded
        ? ', and the server has reloaded them'
        : `, but the command also failed with them (${again.outcome})`;
    });
    return rejectionFor(error, `The previous files were restored${reloaded}.`);
  } catch (second) {
    const why = second instanceof Error ? second.message : String(second);
    return new ConnectorError(
      500,
      `${describeError(error)}. Cannot restore the previous files: ${why}. They are in the same directory, with the suffix ${PREVIOUS}.`,
      { cause: second },
    );
  }
}

/** Uses a new connection if the current one was lost. */
async function withLiveMachine<Result>(
  access: MachineAccess,
  error: unknown,
  work: (machine: Machine) => Promise<Result>,
): Promise<Result> {
  const isLost = error instanceof MachineError && error.isLost;
  return work(isLost ? await access.again() : access.machine);
}

const ignoreErrors = (work: () => Promise<void>): Promise<void> => work().catch(() => undefined);

const describeError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function rejectionFor(error: unknown, outcome: string): Error {
  if (!(error instanceof MachineError) && !(error instanceof ReloadError)) return toError(error);
  const words = `${error.message}. ${outcome}`;
  return error instanceof MachineError && error.isLost ? unavailable(words) : rejected(words);
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
