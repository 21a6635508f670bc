// Certificate validation in detail: every certificate in the chain with its checks.
import type { ChainValidation } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { shownCertificates } from '../certificates/index.ts';
import type { Validator } from './validate.ts';

export function createChainValidation(
  { database: { executor } }: Pick<Platform, 'database'>,
  { validateChain }: Pick<Validator, 'validateChain'>,
) {
  /** Authorities that the caller cannot see are named, since the certificate also names them, but not linked. */
  return async function chainValidation(uuid: string, context: RequestContext): Promise<ChainValidation> {
    const chain = await validateChain(uuid, context);
    const above = chain.slice(1).map(({ row }) => row.uuid);
    const shown = await shownCertificates(executor, above, context);
    return {
      chain: chain.map(({ row, result, isTrustMissing }, place) => ({
        ...(place === 0 || shown.has(row.uuid) ? { uuid: row.uuid } : {}),
        commonName: row.common_name,
        subjectDn: row.subject_dn,
        isTrustMissing,
        result,
      })),
    };
  };
}
