// Private keys in files: import of a PKCS #12 file into a token, and export of a certificate with its key. Not part of
// the published interface. A key is exportable only if this was specified when it was created.
import { z } from 'zod';
import { connectorRuleErrors, objectErrors, operations } from '../operations.ts';
import type { AdditionalPermission } from '../operation.ts';
import { base64, bounded, description, line, objectName, uuid } from '../primitives.ts';
import { raProfileMembership, sightOf, tokenMembership } from '../platform/referenced-objects.ts';
import type { Action } from '../platform/resource-actions.ts';
import type { Resource } from '../platform/resource.ts';

/** Minimum length of the passphrase of an exported file, in characters: anyone who has the file can try to guess it. */
export const MIN_EXPORT_PASSPHRASE = 12;
const MAX_PASSPHRASE = 255;

export const KeyFileFormat = z.enum(['pkcs12', 'jks']).meta({ id: 'KeyFileFormat' });
export type KeyFileFormat = z.output<typeof KeyFileFormat>;

export const KeyFileExportRequest = z
  .object({
    /** `jks` is protected only by SHA-1 without iterations: use it only for software that supports nothing else. */
    format: KeyFileFormat.default('pkcs12'),
    /** Protects the file. The platform does not store it. */
    passphrase: bounded(MAX_PASSPHRASE)
      .min(MIN_EXPORT_PASSPHRASE, `must have at least ${MIN_EXPORT_PASSPHRASE} characters`)
      .refine((text) => text.isWellFormed(), 'must not contain an unpaired surrogate'),
    /** Name of the entry in the file. Default: the certificate's common name. */
    alias: line().optional(),
  })
  .meta({ id: 'KeyFileExportRequest' });
export type KeyFileExportRequest = z.output<typeof KeyFileExportRequest>;

export const KeyFileExport = z
  .object({
    format: KeyFileFormat,
    /** Suggested file name. */
    fileName: z.string(),
    /** Name of the entry in the file. */
    alias: z.string(),
    /** The file: the private key, its certificate, and the known issuers. */
    content: base64(),
  })
  .meta({ id: 'KeyFileExport' });
export type KeyFileExport = z.output<typeof KeyFileExport>;

export const KeyFileImportRequest = z
  .object({
    /** Name of the new key. */
    name: objectName(),
    description: description().optional(),
    /** PKCS #12 file with one private key, its certificate, and optionally further certificates. */
    content: base64(),
    /** Passphrase of the file. The platform does not store it. */
    passphrase: bounded(MAX_PASSPHRASE).default(''),
    /** Whether the key can later be exported. Cannot be changed afterwards. */
    exportable: z.boolean().default(false),
    groupUuids: z.array(uuid()).optional(),
    /** Whether the key can be used immediately. */
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'KeyFileImportRequest' });
export type KeyFileImportRequest = z.output<typeof KeyFileImportRequest>;

export const KeyFileImport = z
  .object({
    /** The new key. */
    keyUuid: uuid(),
    /** The key's certificate in the inventory. */
    certificateUuid: uuid(),
    /** All certificates of the file in the inventory, starting with the key's certificate. */
    certificateUuids: z.array(uuid()),
    /** Certificates of the file that could not be imported, each with the reason. */
    problems: z.array(z.string()),
  })
  .meta({ id: 'KeyFileImport' });
export type KeyFileImport = z.output<typeof KeyFileImport>;

export const KeyExportability = z
  .object({
    /** Whether the key was created as exportable. */
    exportable: z.boolean(),
  })
  .meta({ id: 'KeyExportability' });
export type KeyExportability = z.output<typeof KeyExportability>;

/** The path names the certificate. The platform finds its key and also checks the key's token and token profile. */
const ofKey = (resource: Resource, action: Action, where: string): AdditionalPermission => ({
  resource,
  action,
  where,
});

const ON_KEY = 'the certificate has a key in a token, on the key. Ownership of the key is not sufficient';
const TO_USE = "the certificate's key supports the operation, on the key";
const ON_TOKEN = 'the certificate has a key in a token, on the token';
const ON_PROFILE = "the certificate has a key in a token, on the key's token profile";

export const keyFileOperations = operations(
  { tag: 'Key Files', resource: 'certificates', module: 'certificates', errors: connectorRuleErrors },
  {
    /**
     * Only for keys that were created as exportable, in software tokens of this platform. The response is the only copy
     * of the file.
     */
    exportCertificateWithKey: {
      route: 'POST /x/v1/certificates/{uuid}/export',
      summary: 'Export a certificate with its private key',
      body: KeyFileExportRequest,
      answer: KeyFileExport,
      access: { action: 'detail', object: 'uuid' },
      also: [
        raProfileMembership,
        tokenMembership,
        ofKey('keys', 'export', ON_KEY),
        ofKey('keys', 'sign', TO_USE),
        ofKey('keys', 'decrypt', TO_USE),
        ofKey('tokens', 'detail', ON_TOKEN),
        ofKey('tokens', 'export', ON_TOKEN),
        ofKey('tokenProfiles', 'detail', ON_PROFILE),
        ofKey('tokenProfiles', 'export', ON_PROFILE),
      ],
      audit: 'export',
    },
    /**
     * Adds the file's certificates to the inventory and creates the key in the token. A certificate belongs to the key
     * because both have the same public key.
     */
    importKeyFile: {
      route: 'POST /x/v1/tokens/{tokenInstanceUuid}/tokenProfiles/{tokenProfileUuid}/keys/import',
      summary: 'Import a PKCS #12 file with its private key into a token',
      body: KeyFileImportRequest,
      created: KeyFileImport,
      access: {
        resource: 'keys',
        action: 'create',
        parent: { resource: 'tokens', action: 'detail', object: 'tokenInstanceUuid' },
      },
      also: [
        { resource: 'tokenProfiles', action: 'detail', object: 'tokenProfileUuid' },
        { resource: 'certificates', action: 'create' },
        sightOf('groups', 'groupUuids'),
      ],
      audit: { module: 'keys', resource: 'keys', operation: 'create' },
    },
  },
);

export const keyExportabilityOperations = operations(
  { tag: 'Key Files', resource: 'keys', module: 'keys', errors: objectErrors },
  {
    getKeyExportability: {
      route: 'GET /x/v1/keys/{uuid}/exportability',
      summary: 'Get whether a key was created as exportable',
      answer: KeyExportability,
      access: { action: 'detail', object: 'uuid' },
      also: [tokenMembership],
    },
  },
);
