// Bulk import of certificates, e.g. from another inventory. Not part of the published interface.
import { z } from 'zod';
import { operations, plainErrors } from '../operations.ts';
import { int32 } from '../primitives.ts';

/** Maximum number of files in one request; larger imports are split into multiple requests. */
export const MAX_IMPORTED_FILES = 20_000;
/** Maximum number of certificates in one request. */
export const MAX_IMPORTED_CERTIFICATES = 20_000;
const MAX_FILE_NAME = 300;

const ImportedFile = z
  .object({
    /** Identifies the file in the report and the history, e.g. by its path. */
    name: z.string().max(MAX_FILE_NAME).optional(),
    /** PEM with any number of certificates, or the Base64 encoding of PEM text, a DER certificate or PKCS #7. */
    content: z.string(),
  })
  .meta({ id: 'ImportedFile' });

export const CertificateImportRequest = z
  .object({ files: z.array(ImportedFile).min(1).max(MAX_IMPORTED_FILES) })
  .meta({ id: 'CertificateImportRequest' });
export type CertificateImportRequest = z.output<typeof CertificateImportRequest>;

export const ImportRefusal = z
  .object({
    /** Position of the file in the request, starting at 1; `name` is the name that the request specifies. */
    file: int32(),
    name: z.string().optional(),
    /** Position of the certificate in the file, starting at 1. Absent if the file as a whole cannot be read. */
    certificate: int32().optional(),
    /** Character offset of the PEM block in the file. Absent for files that are not PEM. */
    offset: int32().optional(),
    reason: z.string(),
  })
  .meta({ id: 'ImportRefusal' });
export type ImportRefusal = z.output<typeof ImportRefusal>;

export const ImportFinding = z
  .object({
    /** Position of the file in the request, starting at 1; `name` is the name that the request specifies. */
    file: int32(),
    name: z.string().optional(),
    /** Number of certificates in the file to which the finding applies, including those already known. */
    certificates: int32(),
    /** A variant of certificate files that was accepted although no standard defines it, as a sentence. */
    finding: z.string(),
  })
  .meta({ id: 'ImportFinding' });
export type ImportFinding = z.output<typeof ImportFinding>;

export const CertificateImportReport = z
  .object({
    /** Number of certificates added to the inventory. */
    imported: int32(),
    /** Number of certificates that were already in the inventory or are duplicates within the request. */
    known: int32(),
    /** Number of items that could not be read as certificates. They do not affect the other items. */
    refused: int32(),
    refusals: z.array(ImportRefusal),
    findings: z.array(ImportFinding),
  })
  .meta({ id: 'CertificateImportReport' });
export type CertificateImportReport = z.output<typeof CertificateImportReport>;

export const certificateImportOperations = operations(
  { tag: 'Certificate Import', resource: 'certificates', module: 'certificates', errors: plainErrors },
  {
    /**
     * Known certificates are left unchanged, so an interrupted import can be repeated. Issuers are linked and
     * certificates are validated afterwards.
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
