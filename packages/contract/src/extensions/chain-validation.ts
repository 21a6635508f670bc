// The validation of a certificate with what was found about every certificate of its chain. Not part of the published
// interface.
import { z } from 'zod';
import { operations, ruleErrors } from '../operations.ts';
import { uuid } from '../primitives.ts';
import { CertificateValidationResultDto } from '../platform/certificate-shapes.ts';
import { memberOfItsRaProfile } from '../platform/second-objects.ts';

export const ValidatedChainMember = z
  .object({
    /** Absent where the caller may not see the certificate. */
    uuid: uuid().optional(),
    commonName: z.string(),
    subjectDn: z.string(),
    /** Invalid for no other reason than that nobody trusts its root here. */
    isTrustMissing: z.boolean(),
    result: CertificateValidationResultDto,
  })
  .meta({ id: 'ValidatedChainMember' });
export type ValidatedChainMember = z.output<typeof ValidatedChainMember>;

export const ChainValidation = z
  .object({
    /** The certificate itself first, each followed by its issuer. One only where it is not validated. */
    chain: z.array(ValidatedChainMember),
  })
  .meta({ id: 'ChainValidation' });
export type ChainValidation = z.output<typeof ChainValidation>;

export const chainValidationOperations = operations(
  { tag: 'Chain Validation', resource: 'certificates', module: 'certificates', errors: ruleErrors },
  {
    /** Validates anew and stores the verdicts, as the validation of the published interface does. */
    getChainValidation: {
      route: 'GET /x/v1/certificates/{uuid}/validation',
      summary: 'Validate a certificate with every certificate of its chain',
      answer: ChainValidation,
      access: { action: 'detail', object: 'uuid' },
      also: [memberOfItsRaProfile],
    },
  },
);
