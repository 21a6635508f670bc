// Validation of a whole chain, and of the whole inventory. Validation of a single certificate is an inventory
// operation.
import { chainValidationOperations, validationRunOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { CertificateAccess } from '../certificates/index.ts';
import type { Validation } from './validation.ts';

export interface ValidationRouteParts extends Pick<Validation, 'validateChain' | 'runs'> {
  readonly assertVisible: CertificateAccess;
}

export const validationRoutes = ({ validateChain, runs, assertVisible }: ValidationRouteParts): readonly Route[] => [
  ...routes(chainValidationOperations, {
    getChainValidation: async ({ params, context }) => {
      await assertVisible([params.uuid], { context, action: 'detail' });
      return validateChain(params.uuid, context);
    },
  }),
  ...routes(validationRunOperations, {
    getValidationRun: () => runs.latest(),
    startValidationRun: ({ context }) => runs.begin(context),
  }),
];
