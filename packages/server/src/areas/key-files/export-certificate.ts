// Exports a certificate with its private key. The file is written in memory and returned to the caller; no part of it
// is stored.
import type { KeyFileExport, KeyFileExportRequest, KeyFileFormat } from '@signetry/contract';
import { isPkiError } from '@signetry/pki';
import { storedAlias, writeKeyStore, type KeyStoreType } from '@signetry/pki/node';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, rejected, requireFound } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { certificateName, findCertificate, shownState } from '../certificates/index.ts';
import type { CertificateAccess, CertificateRow } from '../certificates/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { ExportedKey, Keys } from '../keys/index.ts';

export interface CertificateExportParts {
  readonly platform: Pick<Platform, 'database' | 'clock'>;
  readonly audit: Pick<AuditTrail, 'append'>;
  readonly certificates: { readonly assertVisible: CertificateAccess };
  readonly inventory: Pick<InventoryArea, 'chainOf'>;
  readonly keys: Pick<Keys, 'exportKey'>;
}

export async function exportCertificate(
  parts: CertificateExportParts,
  uuid: string,
  request: KeyFileExportRequest,
  context: RequestContext,
): Promise<KeyFileExport> {
  const { platform, audit, certificates, inventory, keys } = parts;
  await certificates.assertVisible([uuid], { context, action: 'detail' });
  const row = requireFound(await findCertificate(platform.database.executor, uuid), 'Certificate', uuid);
  const { public_key_fingerprint: fingerprint } = row;
  const chain = row.state === 'failed' ? [] : await inventory.chainOf(row.uuid);
  if (fingerprint === null || chain.length === 0) throw notIssued(row);
  const { format } = request;
  const alias = storedAlias(STORE_TYPES[format], request.alias?.trim() || certificateName(row));
  const content = await keys.exportKey(fingerprint, {
    context,
    use: (key) => writeFile(parts, key, { ...request, alias, chain }),
    record: (tx, { uuid: keyUuid, name }) =>
      audit.append(tx, context, {
        objects: [{ uuid: row.uuid, name: certificateName(row) }],
        affiliated: { resource: 'keys', objects: [{ uuid: keyUuid, name }] },
        data: { format },
      }),
  });
  const fileName = `${fileNameOf(certificateName(row))}${SUFFIXES[format]}`;
  return { format, fileName, alias, content: Buffer.from(content).toString('base64') };
}

const STORE_TYPES: Readonly<Record<KeyFileFormat, KeyStoreType>> = { pkcs12: 'PKCS12', jks: 'JKS' };
const SUFFIXES: Readonly<Record<KeyFileFormat, string>> = { pkcs12: '.p12', jks: '.jks' };

interface FileFacts extends Pick<KeyFileExportRequest, 'format' | 'passphrase'> {
  readonly alias: string;
  /** DER certificates, starting with the key's certificate. */
  readonly chain: readonly Uint8Array[];
}

async function writeFile(
  { platform }: CertificateExportParts,
  { name, pkcs8 }: ExportedKey,
  { format, passphrase: password, alias, chain }: FileFacts,
): Promise<Uint8Array> {
  const entry = { alias, key: { pkcs8 }, chain, isTrusted: false, createdMs: undefined, attributes: [] };
  try {
    return await writeKeyStore(
      { type: STORE_TYPES[format], entries: [entry], others: [] },
      { password, now: platform.clock.now() },
    );
  } catch (error) {
    if (isPkiError(error)) throw rejected(`Cannot export the key ${name}: ${error.message}`);
    throw error;
  }
}

const notIssued = (row: CertificateRow): AppError =>
  new AppError('invalid_state', {
    what: 'Certificate',
    name: certificateName(row),
    state: `${shownState(row)}, not issued`,
    needed: 'an issued certificate',
  });

const MAX_FILE_NAME = 64;

/** Returns a name that is safe in every file system. */
function fileNameOf(name: string): string {
  const safe = name.replaceAll(/[^A-Za-z0-9._-]+/g, '_').replace(/^[._]+/, '');
  return safe.slice(0, MAX_FILE_NAME) || 'certificate';
}
