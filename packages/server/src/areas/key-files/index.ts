// Private keys in files: import of PKCS #12 files into tokens, and export of certificates with their keys. Owns: no
// table. Invariants: a private key leaves its token only as a file protected by a passphrase, for callers whose
// permissions the keys area checks; neither keys nor passphrases are stored or logged.
import { keyFileOperations } from '@signetry/contract';
import { routes } from '../../platform/http/routes.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { exportCertificate, type CertificateExportParts } from './export-certificate.ts';
import { importKeyFile, type KeyFileImportParts } from './import-key-file.ts';

type KeyFileParts = Omit<CertificateExportParts & KeyFileImportParts, 'platform'>;

export function createKeyFilesArea(platform: Platform, areas: KeyFileParts): Area {
  const parts = { ...areas, platform };
  return {
    routes: routes(keyFileOperations, {
      exportCertificateWithKey: ({ params, body, context }) => exportCertificate(parts, params.uuid, body, context),
      importKeyFile: ({ params, body, context }) => importKeyFile(parts, params, body, context),
    }),
  };
}
