// Certificates of the inventory whose key is in a token, with which servers of protocols sign and decrypt.
// Owns: no table. Invariants: nothing is signed for a certificate that is not in force, nor with a key that may not
// sign.
import type { CertificateDto } from '@signetry/contract';
import { parseCertificate, type Certificate, type KeyTransport, type SignatureAlgorithm } from '@signetry/pki';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import { isUuid, newUuid } from '../../kernel/ids.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { visibleCertificates } from '../certificates/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { Keys, SigningKey } from '../keys/index.ts';
import { judge, type CertificateUse, type Suitability } from './judge.ts';
import { findOne, findSuccessors, findWithKeys } from './store.ts';

export type { CertificateUse } from './judge.ts';

export interface SigningCertificate {
  readonly certificate: Certificate;
  /** The certificate and its issuers, leaf first, in DER. */
  readonly chain: readonly Uint8Array[];
  /** How it signs. */
  readonly algorithm: SignatureAlgorithm;
  sign(data: Uint8Array): Promise<Uint8Array>;
  /** By RSA key transport; undefined where the octets do not open. */
  decrypt(transport: KeyTransport, encrypted: Uint8Array): Promise<Uint8Array | undefined>;
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
  /** That which will take its place: the successor that can serve and lasts longest. */
  successorOf(uuid: string, use: CertificateUse): Promise<SigningCertificate | undefined>;
}

export function createSigningCertificatesArea(
  platform: Platform,
  { keys, inventory }: { readonly keys: Keys; readonly inventory: Pick<InventoryArea, 'chainOf' | 'presentListed'> },
): Area & SigningCertificates {
  const { executor } = platform.database;

  async function verdictOf(uuid: string, use: CertificateUse): Promise<Suitability> {
    const row = isUuid(uuid) ? await findOne(executor, uuid) : undefined;
    return row ? judge(keys, row, use) : { problem: `There is no certificate ${uuid.slice(0, 100)}.` };
  }

  const cache = createExpiringCache({
    clock: platform.clock,
    load: async (cacheKey: string): Promise<SigningCertificate> => {
      const { uuid, use } = JSON.parse(cacheKey) as { uuid: string; use: CertificateUse }; // as `reach` wrote it
      const verdict = await verdictOf(uuid, use);
      if ('problem' in verdict) throw new AppError('unavailable', { reason: verdict.problem.replace(/\.$/, '') });
      return load(uuid, verdict.key);
    },
  });

  const reach: SigningCertificates['reach'] = (uuid, use) => cache.get(JSON.stringify({ uuid, use }));

  async function load(uuid: string, key: SigningKey): Promise<SigningCertificate> {
    const chain = await inventory.chainOf(uuid);
    const [der] = chain;
    if (!der) throw new AppError('unavailable', { reason: `The certificate ${uuid} was deleted.` });
    const { algorithm, attributes } = keys.signing.formOf(key, []);
    return {
      certificate: parseCertificate(der),
      chain,
      algorithm,
      sign: (data) => keys.signing.sign(key, { attributes, data }, coreContext(newUuid())),
      decrypt: async (transport, encrypted) =>
        transport.kind === 'rsa-pkcs1' ? keys.signing.decrypt(key, encrypted, coreContext(newUuid())) : undefined,
    };
  }

  return {
    routes: [],
    async list(use, context) {
      const rows = await findWithKeys(executor, visibleCertificates(context, 'list'));
      const verdicts = await Promise.all(rows.map((row) => judge(keys, row, use)));
      const able = rows.filter((_, index) => 'key' in (verdicts[index] ?? {}));
      return inventory.presentListed(able.map(({ uuid }) => uuid));
    },
    present: async (uuid) => (await inventory.presentListed([uuid]))[0],
    async problemOf(uuid, use) {
      const verdict = await verdictOf(uuid, use);
      return 'problem' in verdict ? verdict.problem : undefined;
    },
    reach,
    async successorOf(uuid, use) {
      for (const row of await findSuccessors(executor, uuid))
        if ('key' in (await judge(keys, row, use))) return reach(row.uuid, use);
      return undefined;
    },
  };
}
