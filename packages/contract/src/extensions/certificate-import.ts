// Import of many certificates at once, e.g. of another inventory. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { int32 } from '../primitives.ts';

/** Files of one request; more certificates are sent in several. */
export const MAX_IMPORTED_FILES = 20_000;
/** Certificates of one request. */
export const MAX_IMPORTED_CERTIFICATES = 20_000;
const MAX_FILE_NAME = 300;

const ImportedFile = z
  .object({
    /** For the report and the history, e.g. the path of the file. */
    name: z.string().max(MAX_FILE_NAME).optional(),
    /** PEM with any number of certificates, or Base64 of such a text, of a certificate in DER, or of PKCS#7. */
    content: z.string(),
  })
  .meta({ id: 'ImportedFile' });

export const CertificateImportRequest = z
  .object({ files: z.array(ImportedFile).min(1).max(MAX_IMPORTED_FILES) })
  .meta({ id: 'CertificateImportRequest' });
export type CertificateImportRequest = z.output<typeof CertificateImportRequest>;

export const ImportRefusal = z
  .object({
    /** Place of the file in the request, counted from 1, and the name that it was given. */
    file: int32(),
    name: z.string().optional(),
    /** Place of the certificate in the file, counted from 1; absent where the file as a whole cannot be read. */
    certificate: int32().optional(),
    /** Where it begins in the text of the file, in characters; absent for files that are not PEM. */
    offset: int32().optional(),
    reason: z.string(),
  })
  .meta({ id: 'ImportRefusal' });
export type ImportRefusal = z.output<typeof ImportRefusal>;

export const CertificateImportReport = z
  .object({
    /** New in the inventory. */
    imported: int32(),
    /** In the inventory already, or repeated in the request. */
    known: int32(),
    /** What could not be read as a certificate; the others are not affected. */
    refused: int32(),
    refusals: z.array(ImportRefusal),
  })
  .meta({ id: 'CertificateImportReport' });
export type CertificateImportReport = z.output<typeof CertificateImportReport>;

export const certificateImportOperations = operations(
  { tag: 'Certificate Import', resource: 'certificates', module: 'certificates', errors: plainErrors },
  {
    /**
     * Known certificates stay as they are, so that an import that was interrupted can be repeated. Issuers are linked
     * and certificates validated afterwards.
     */
    importCertificates: {
      route: 'POST /x/v1/certificates/import',
      summary: 'Import certificates in bulk',
      body: CertificateImportRequest,
      largeBody: true,
      answer: CertificateImportReport,
      errors: [400, 401, 403, 422, 500, 503],
      access: { action: 'create' },
      audit: 'upload',
    },
  },
);
