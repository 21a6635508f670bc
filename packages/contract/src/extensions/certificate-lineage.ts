// A name's lineage: every certificate issued for it, and which certificate renewed which. Not part of the published
// interface.
import { z } from 'zod';
import { CertificateEvent, CertificateRelationType } from '../enums/certificates.ts';
import { operations, ruleErrors } from '../operations.ts';
import { uuid } from '../primitives.ts';
import { raProfileMembership } from '../platform/referenced-objects.ts';
import { FoundCertificateDto } from './certificate-search.ts';

/** Maximum number of certificates in a response. The latest ones are returned. */
export const MAX_LINEAGE = 200;

export const LineagePredecessor = z
  .object({ uuid: uuid(), relationType: CertificateRelationType })
  .meta({ id: 'LineagePredecessor' });
export type LineagePredecessor = z.output<typeof LineagePredecessor>;

export const LineageCertificate = FoundCertificateDto.extend({
  /** Lowercase hex SHA-256 of the SubjectPublicKeyInfo; unchanged if a renewal kept the key. */
  keyFingerprint: z.string(),
  /** Certificates that this one renewed, rekeyed or replaced. */
  predecessors: z.array(LineagePredecessor),
  /**
   * How the certificate was added to the inventory, and which user requested this. Absent if the certificate's history
   * does not show it.
   */
  origin: z.object({ event: CertificateEvent, username: z.string() }).optional(),
}).meta({ id: 'LineageCertificate' });
export type LineageCertificate = z.output<typeof LineageCertificate>;

/** Lineage, excluding certificates that the caller cannot see. */
export const CertificateLineage = z
  .object({
    /** Latest notBefore first; certificates that have not been issued yet come before all others. */
    certificates: z.array(LineageCertificate),
    hasMore: z.boolean(),
  })
  .meta({ id: 'CertificateLineage' });
export type CertificateLineage = z.output<typeof CertificateLineage>;

export const certificateLineageOperations = operations(
  { tag: 'Certificate Lineage', resource: 'certificates', module: 'certificates', errors: ruleErrors },
  {
    /**
     * Returns the certificates with the same subject and SANs as the given certificate, and the certificates related to
     * it by renewal, rekey or replacement, regardless of their names.
     */
    getCertificateLineage: {
      route: 'GET /x/v1/certificates/{uuid}/lineage',
      summary: 'Get all certificates issued for the names of a certificate, with their relations',
      answer: CertificateLineage,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
  },
);
