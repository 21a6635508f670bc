// Certificate validation in detail: every certificate in the chain with its checks.
import type { ChainValidation } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Platform } from '../../platform/platform.ts';
import { findVisibleCertificates } from '../certificates/index.ts';
import type { Validator } from './validate.ts';

export function createChainValidation(
  { database: { executor } }: Pick<Platform, 'database'>,
  { validateChain }: Pick<Validator, 'validateChain'>,
) {
  /** Names authorities that the caller cannot see, since the certificate names them too, but does not link to them. */
  return async function chainValidation(uuid: string, context: RequestContext): Promise<ChainValidation> {
    const chain = await validateChain(uuid, context);
    const above = chain.slice(1).map(({ row }) => row.uuid);
    const shown = await findVisibleCertificates(executor, above, context);
    return {
      chain: chain.map(({ row, result, isTrustMissing, purposes }, place) => ({
        ...(place === 0 || shown.has(row.uuid) ? { uuid: row.uuid } : {}),
        commonName: row.common_name,
        subjectDn: row.subject_dn,
        isTrustMissing,
        result,
        purposes: [...purposes],
      })),
    };
  };
}
