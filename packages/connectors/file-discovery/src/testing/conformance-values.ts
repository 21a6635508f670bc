// Values for the conformance check that the definitions do not determine: a directory with certificates, and permission
// to search it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectorContext } from '@signetry/connector-sdk';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { KIND } from '../declaration.ts';
import { FILES } from '../index.ts';

const folder = await mkdtemp(join(tmpdir(), 'signetry-files-'));

export const conformanceContext: Partial<ConnectorContext> = { readableDirectories: { test: folder } };

export const conformanceEnd = (): Promise<void> => rm(folder, { recursive: true, force: true });

export async function conformanceValues() {
  for (const name of ['one', 'two', 'three'])
    await writeFile(join(folder, `${name}.cer`), (await createExternalAuthority(`CN=${name}`)).der);
  return { [KIND]: { [FILES.directories]: ['test'] } };
}
