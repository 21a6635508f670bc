// The lineage of a name: every certificate that was issued for it, and what renewed what. Not part of the published
// interface.
import { z } from 'zod';
import { CertificateEvent, CertificateRelationType } from '../enums/certificates.ts';
import { operations, ruleErrors } from '../operations.ts';
import { uuid } from '../primitives.ts';
import { memberOfItsRaProfile } from '../platform/second-objects.ts';
import { FoundCertificateDto } from './certificate-search.ts';

/** Certificates of one answer: the latest ones. */
export const MAX_LINEAGE = 200;

export const LineagePredecessor = z
  .object({ uuid: uuid(), relationType: CertificateRelationType })
  .meta({ id: 'LineagePredecessor' });
export type LineagePredecessor = z.output<typeof LineagePredecessor>;

export const LineageCertificate = FoundCertificateDto.extend({
  /** Lower-case hex SHA-256 of the SubjectPublicKeyInfo: the same where a renewal kept the key. */
  keyFingerprint: z.string(),
  /** Certificates that it renewed, rekeyed or replaced. */
  predecessors: z.array(LineagePredecessor),
  /** How it came into the inventory, and who asked for that; absent where its history does not tell. */
  origin: z.object({ event: CertificateEvent, username: z.string() }).optional(),
}).meta({ id: 'LineageCertificate' });
export type LineageCertificate = z.output<typeof LineageCertificate>;

/** Certificates that the caller may not see are left out. */
export const CertificateLineage = z
  .object({
    /** The one that becomes valid last first; those that were not issued yet before all others. */
    certificates: z.array(LineageCertificate),
    hasMore: z.boolean(),
  })
  .meta({ id: 'CertificateLineage' });
export type CertificateLineage = z.output<typeof CertificateLineage>;

export const certificateLineageOperations = operations(
  { tag: 'Certificate Lineage', resource: 'certificates', module: 'certificates', errors: ruleErrors },
  {
    /**
     * Certificates with the same subject and alternative names, and those that are related to it by renewals, rekeys
     * and replacements, under whatever names.
     */
    getCertificateLineage: {
      route: 'GET /x/v1/certificates/{uuid}/lineage',
      summary: 'Get all certificates of the names of a certificate, with what renewed what',
      answer: CertificateLineage,
      access: { action: 'detail', object: 'uuid' },
      also: [memberOfItsRaProfile],
    },
  },
);
