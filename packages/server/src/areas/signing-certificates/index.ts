// Certificates of the inventory whose key is in a token, with which servers of protocols sign.
// Owns: no table. Invariants: nothing is signed for a certificate that is not in force, nor with a key that may not sign.
import type { CertificateDto } from '@signetry/contract';
import { parseCertificate, type Certificate, type SignatureAlgorithm } from '@signetry/pki';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import { isUuid, newUuid } from '../../kernel/ids.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { visibleCertificates, type CertificatesArea } from '../certificates/index.ts';
import type { Keys, SigningKey } from '../keys/index.ts';
import { judge, type CertificateUse, type Verdict } from './judge.ts';
import { findOne, findWithKeys } from './store.ts';

export type { CertificateUse } from './judge.ts';

export interface SigningCertificate {
  readonly certificate: Certificate;
  /** The certificate and its issuers, leaf first, in DER. */
  readonly chain: readonly Uint8Array[];
  /** How it signs. */
  readonly algorithm: SignatureAlgorithm;
  sign(data: Uint8Array): Promise<Uint8Array>;
}

export interface SigningCertificates {
  /** Those that can serve, of what the caller may see, by name. */
  list(use: CertificateUse, context: RequestContext): Promise<CertificateDto[]>;
  /** As lists show it; undefined where it was deleted. */
  present(uuid: string): Promise<CertificateDto | undefined>;
  /** Why it cannot serve, in words; undefined where it can. */
  problemOf(uuid: string, use: CertificateUse): Promise<string | undefined>;
  /** For servers, remembered for a moment; `unavailable`, in words, where it cannot serve any more. */
  reach(uuid: string, use: CertificateUse): Promise<SigningCertificate>;
}

export function createSigningCertificatesArea(
  platform: Platform,
  { keys, certificates }: { readonly keys: Keys; readonly certificates: CertificatesArea },
): Area & SigningCertificates {
  const { executor } = platform.database;

  async function verdictOf(uuid: string, use: CertificateUse): Promise<Verdict> {
    const row = isUuid(uuid) ? await findOne(executor, uuid) : undefined;
    return row ? judge(keys, row, use) : { problem: `There is no certificate ${uuid.slice(0, 100)}.` };
  }

  const cache = createExpiringCache({
    clock: platform.clock,
    load: async (cacheKey: string): Promise<SigningCertificate> => {
      const { uuid, use } = JSON.parse(cacheKey) as { uuid: string; use: CertificateUse }; // as `reach` wrote it
      const verdict = await verdictOf(uuid, use);
      if ('problem' in verdict) throw new AppError('unavailable', { reason: verdict.problem });
      return load(uuid, verdict.key);
    },
  });

  async function load(uuid: string, key: SigningKey): Promise<SigningCertificate> {
    const chain = await certificates.chainOf(uuid);
    const [der] = chain;
    if (!der) throw new AppError('unavailable', { reason: `The certificate ${uuid} was deleted.` });
    const { algorithm, attributes } = keys.signing.formOf(key, []);
    return {
      certificate: parseCertificate(der),
      chain,
      algorithm,
      sign: (data) => keys.signing.sign(key, { attributes, data }, coreContext(newUuid())),
    };
  }

  return {
    routes: [],
    async list(use, context) {
      const rows = await findWithKeys(executor, visibleCertificates(context, 'list'));
      const verdicts = await Promise.all(rows.map((row) => judge(keys, row, use)));
      const able = rows.filter((_, index) => 'key' in (verdicts[index] ?? {}));
      return certificates.presentListed(able.map(({ uuid }) => uuid));
    },
    present: async (uuid) => (await certificates.presentListed([uuid]))[0],
    async problemOf(uuid, use) {
      const verdict = await verdictOf(uuid, use);
      return 'problem' in verdict ? verdict.problem : undefined;
    },
    reach: (uuid, use) => cache.get(JSON.stringify({ uuid, use })),
  };
}
