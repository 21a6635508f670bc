// Values for the conformance check that the definitions do not determine: a directory with files.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENTITY, KEY_STORE, KEY_STORE_REQUEST, LOCATION, REQUEST } from '../index.ts';

const directory = mkdtempSync(join(tmpdir(), 'signetry-files-'));

export const conformanceContext = { directories: { web: directory }, reloadCommands: { nothing: 'true' } };

export const conformanceEnd = (): Promise<void> => rm(directory, { recursive: true, force: true });

export const conformanceValues = () =>
  Promise.resolve({
    PEM: {
      [ENTITY.transport]: 'local',
      [ENTITY.directory]: 'web',
      [LOCATION.keyFile]: 'server.key',
      [LOCATION.certificateFile]: 'server.crt',
      [LOCATION.reloadCommand]: 'nothing',
      [REQUEST.subject]: 'CN=www.example.com',
      [REQUEST.dnsNames]: 'www.example.com, example.com',
    },
    Keystore: {
      [ENTITY.transport]: 'local',
      [ENTITY.directory]: 'web',
      [KEY_STORE.path]: 'keystore.p12',
      [KEY_STORE.password]: { secret: 'changeit' },
      [KEY_STORE.type]: 'PKCS12',
      [KEY_STORE.chain]: 'asKnown',
      [KEY_STORE.reloadCommand]: 'nothing',
      [KEY_STORE_REQUEST.subject]: 'CN=www.example.com',
      [KEY_STORE_REQUEST.dnsNames]: 'www.example.com, example.com',
      [KEY_STORE_REQUEST.keyAlgorithm]: 'EC',
      [KEY_STORE_REQUEST.keySize]: '256',
      [KEY_STORE_REQUEST.signatureAlgorithm]: 'SHA256withECDSA',
    },
  });
