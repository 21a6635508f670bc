// What the check against the connector interface needs beside the definitions: a directory, and files in it.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KIND } from '../declaration.ts';
import { ENTITY, LOCATION, REQUEST } from '../index.ts';

const directory = mkdtempSync(join(tmpdir(), 'signetry-files-'));

export const conformanceContext = { directories: { web: directory }, reloadCommands: { nothing: 'true' } };

export const conformanceEnd = (): Promise<void> => rm(directory, { recursive: true, force: true });

export const conformanceValues = () =>
  Promise.resolve({
    [KIND]: {
      [ENTITY.transport]: 'local',
      [ENTITY.directory]: 'web',
      [LOCATION.keyFile]: 'server.key',
      [LOCATION.certificateFile]: 'server.crt',
      [LOCATION.reloadCommand]: 'nothing',
      [REQUEST.subject]: 'CN=www.example.com',
      [REQUEST.dnsNames]: 'www.example.com, example.com',
    },
  });
