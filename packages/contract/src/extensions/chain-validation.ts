// Validation of a certificate, with the result for every certificate in its chain. Not part of the published interface.
import { z } from 'zod';
import { operations, ruleErrors } from '../operations.ts';
import { uuid } from '../primitives.ts';
import { PurposeVerdict } from './certificate-purposes.ts';
import { CertificateValidationResultDto } from '../platform/certificate-shapes.ts';
import { raProfileMembership } from '../platform/referenced-objects.ts';

export const ValidatedChainMember = z
  .object({
    /** Absent if the caller cannot see the certificate. */
    uuid: uuid().optional(),
    commonName: z.string(),
    subjectDn: z.string(),
    /** True if the certificate is invalid only because its root is not trusted on this platform. */
    isTrustMissing: z.boolean(),
    result: CertificateValidationResultDto,
    /** All purposes, in a fixed order. Empty if the certificate was not validated. */
    purposes: z.array(PurposeVerdict),
  })
  .meta({ id: 'ValidatedChainMember' });
export type ValidatedChainMember = z.output<typeof ValidatedChainMember>;

export const ChainValidation = z
  .object({
    /**
     * Starts with the certificate itself; each certificate is followed by its issuer. Contains only the certificate if
     * it is not validated.
     */
    chain: z.array(ValidatedChainMember),
  })
  .meta({ id: 'ChainValidation' });
export type ChainValidation = z.output<typeof ChainValidation>;

export const chainValidationOperations = operations(
  { tag: 'Chain Validation', resource: 'certificates', module: 'certificates', errors: ruleErrors },
  {
    /** Runs a new validation and stores the results, as the published validation operation does. */
    getChainValidation: {
      route: 'GET /x/v1/certificates/{uuid}/validation',
      summary: 'Validate a certificate and every certificate in its chain',
      answer: ChainValidation,
      access: { action: 'detail', object: 'uuid' },
      also: [raProfileMembership],
    },
  },
);
