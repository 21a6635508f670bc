// Reads the bytes of one file, which could be replaced with something else at any moment.
import { constants } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { failureOf, FileFailure } from './failure.ts';
import { isInside } from './walk.ts';

export interface ReadFile {
  readonly octets: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/** Symbolic links are not followed, and opening a pipe or terminal does not block. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Throws `FileFailure`, or the error of a failing disk. */
export async function readFileInside(root: string, path: string, maxOctets: number): Promise<ReadFile> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, READ);
    const { mode, size, ...kind } = await statOf(file);
    if (!kind.isFile) throw new FileFailure('special');
    // A directory in the path may have become a link since it was checked; Linux reports which file was opened.
    const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => path);
    if (!isInside(root, opened)) throw new FileFailure('outside');
    if (size > maxOctets) throw new FileFailure('tooLarge');
    return { octets: await readUpTo(file, maxOctets), mode: mode & 0o7777 };
  } catch (error) {
    throw failureOf(error) ?? error;
  } finally {
    await file?.close();
  }
}

async function statOf(file: FileHandle) {
  const stat = await file.stat();
  return { mode: stat.mode, size: stat.size, isFile: stat.isFile() };
}

/** Ignores the reported size: the file may grow, or may be a device without a size. */
async function readUpTo(file: FileHandle, maxOctets: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(64 * 1024, maxOctets + 1)));
    if (bytesRead === 0) break;
    total += bytesRead;
    if (total > maxOctets) throw new FileFailure('tooLarge');
    parts.push(buffer.subarray(0, bytesRead));
  }
  return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
}
