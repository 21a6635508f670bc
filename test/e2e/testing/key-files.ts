// Certificates whose private keys are imported into tokens from PKCS #12 files.
import { randomUUID } from 'node:crypto';
import type { Client } from '@signetry/client';
import type { KeyFileImport, KeyFileImportRequest } from '@signetry/contract';
import { exportPrivateKey, type KeySpec } from '@signetry/pki/node';
import { writePkcs12 } from '@signetry/pki/pkcs12';
import { issue, type IssuedCertificate } from './certificates.ts';
import { defaultProfile, type IssuingPath } from './profiles.ts';
import { makeRequest, type TestRequest } from './requests.ts';
import type { TokenPath } from './tokens.ts';

export const FILE_PASSPHRASE = 'canary-passphrase-of-the-file';

export interface KeyFile {
  /** Base64. */
  readonly content: string;
  readonly request: TestRequest;
  readonly certificate: IssuedCertificate;
}

/** Issues a certificate for a new key and writes both to a PKCS #12 file. */
export async function makeKeyFile(
  client: Client,
  wish: { readonly name?: string; readonly keySpec?: KeySpec; readonly path?: IssuingPath } = {},
): Promise<KeyFile> {
  const { name = `${randomUUID()}.example`, keySpec = 'P-256', path = await defaultProfile(client) } = wish;
  const request = await makeRequest({ subject: `CN=${name}`, dnsNames: [name], keySpec });
  const certificate = await issue(client, path, request);
  const privateKey = exportPrivateKey(request.privateKey);
  const file = await writePkcs12({
    privateKey,
    chain: [certificate.der],
    friendlyName: name,
    password: FILE_PASSPHRASE,
  });
  return { content: Buffer.from(file).toString('base64'), request, certificate };
}

export function importFile(
  client: Client,
  params: TokenPath,
  body: Pick<KeyFileImportRequest, 'content'> & Partial<KeyFileImportRequest>,
): Promise<KeyFileImport> {
  return client.keyFiles.importKeyFile({
    params,
    body: { name: `key ${randomUUID()}`, passphrase: FILE_PASSPHRASE, ...body },
  });
}
