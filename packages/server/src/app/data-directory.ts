// The data directory: its files, including those created on the first start. Only its owner can read it.
import { randomUUIDv7 } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { newSealingKey } from '../platform/crypto/sealing.ts';

export interface DataDirectory {
  readonly root: string;
  readonly nodeIdFile: string;
  readonly sealingKeyFile: string;
  readonly httpsFile: string;
  readonly rootCertificateFile: string;
  readonly runFile: string;
}

export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const root = resolve(path);
  await mkdir(root, { recursive: true, mode: 0o700 });
  await chmod(root, 0o700);
  return {
    root,
    nodeIdFile: join(root, 'node-id'),
    sealingKeyFile: join(root, 'sealing.key'),
    httpsFile: join(root, 'https.json'),
    rootCertificateFile: join(root, 'root-ca.pem'),
    runFile: join(root, 'run.json'),
  };
}

/** Returns this node's ID, which is generated once. */
export async function readNodeId(directory: DataDirectory): Promise<string> {
  return (await readOrCreate(directory.nodeIdFile, () => `${randomUUIDv7()}\n`)).trim();
}

/** Returns the text of a sealing key file, or undefined if it does not exist and must not be created. */
export async function readSealingKeys(
  path: string,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<string | undefined> {
  if (mayCreate) return readOrCreate(path, newSealingKeyFile);
  return readIfPresent(path);
}

const newSealingKeyFile = (): string =>
  `# Seals every secret in the database. Without this file they are lost: store a copy separately from the database.\n${Buffer.from(newSealingKey()).toString('base64')}\n`;

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // The fs module rejects with errno errors.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readOrCreate(path: string, create: () => string): Promise<string> {
  const known = await readIfPresent(path);
  if (known !== undefined) return known;
  const text = create();
  await writePrivateFile(path, text);
  return text;
}

/** Writes a file atomically with mode 0600: readers see the old or the new content, never part of it. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, content, { mode: 0o600 });
  await rename(temporary, path);
}
