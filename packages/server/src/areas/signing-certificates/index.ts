// Inventory certificates whose key is in a token, which protocol servers use to sign and decrypt. Owns: no table.
// Invariants: only valid certificates whose keys are permitted to sign are used for signing.
import type { CertificateDto, KeyDto } from '@signetry/contract';
import { parseCertificate, type Certificate, type KeyTransport, type SignatureAlgorithm } from '@signetry/pki';
import { coreContext, type RequestContext } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import { createExpiringCache } from '../../kernel/expiring-cache.ts';
import { isUuid, newUuid } from '../../kernel/ids.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { visibleCertificates } from '../certificates/index.ts';
import type { InventoryArea } from '../inventory/index.ts';
import type { Keys, SigningKey } from '../keys/index.ts';
import { evaluateSuitability, type CertificateUse, type Suitability } from './suitability.ts';
import { findOne, findSuccessors, findWithKeys } from './store.ts';

export type { CertificateUse } from './suitability.ts';

export interface SigningCertificate {
  readonly certificate: Certificate;
  /** DER of the certificate and its issuers, leaf first. */
  readonly chain: readonly Uint8Array[];
  readonly algorithm: SignatureAlgorithm;
  sign(data: Uint8Array): Promise<Uint8Array>;
  /**
   * Decrypts with RSA key transport; returns undefined if decryption fails. Throws `PkiError` `unsupported-algorithm`.
   */
  decrypt(transport: KeyTransport, encrypted: Uint8Array): Promise<Uint8Array | undefined>;
}

export interface SigningCertificates {
  /** Returns the suitable certificates that the caller can see, sorted by name. */
  list(use: CertificateUse, context: RequestContext): Promise<CertificateDto[]>;
  /** Returns the certificate as shown in lists; undefined if it was deleted. */
  present(uuid: string): Promise<CertificateDto | undefined>;
  /** Returns the certificate's key, if it is in a token. */
  keyOf(uuid: string): Promise<KeyDto | undefined>;
  /** Returns the reason why the certificate is unsuitable; undefined if it is suitable. */
  problemOf(uuid: string, use: CertificateUse): Promise<string | undefined>;
  /**
   * Returns the certificate for a protocol server, cached briefly. Throws `unavailable`, with the reason, if it is no
   * longer suitable.
   */
  reach(uuid: string, use: CertificateUse): Promise<SigningCertificate>;
  /** Returns the replacement, which is the suitable successor that expires last. */
  successorOf(uuid: string, use: CertificateUse): Promise<SigningCertificate | undefined>;
}

export function createSigningCertificatesArea(
  platform: Platform,
  { keys, inventory }: { readonly keys: Keys; readonly inventory: Pick<InventoryArea, 'chainOf' | 'presentListed'> },
): Area & SigningCertificates {
  const { executor } = platform.database;

  async function verdictOf(uuid: string, use: CertificateUse): Promise<Suitability> {
    const row = isUuid(uuid) ? await findOne(executor, uuid) : undefined;
    return row ? evaluateSuitability(keys, row, use) : { problem: `Certificate ${uuid.slice(0, 100)} does not exist.` };
  }

  const cache = createExpiringCache({
    clock: platform.clock,
    load: async (cacheKey: string): Promise<SigningCertificate> => {
      const { uuid, use } = JSON.parse(cacheKey) as { uuid: string; use: CertificateUse }; // Written by `reach`.
      const verdict = await verdictOf(uuid, use);
      if ('problem' in verdict) throw new AppError('unavailable', { reason: verdict.problem.replace(/\.$/, '') });
      return load(uuid, verdict.key);
    },
  });

  const reach: SigningCertificates['reach'] = (uuid, use) => cache.get(JSON.stringify({ uuid, use }));

  async function load(uuid: string, key: SigningKey): Promise<SigningCertificate> {
    const chain = await inventory.chainOf(uuid);
    const [der] = chain;
    if (!der) throw new AppError('unavailable', { reason: `Certificate ${uuid} was deleted` });
    const { algorithm, attributes } = keys.signing.formOf(key, []);
    return {
      certificate: parseCertificate(der),
      chain,
      algorithm,
      sign: (data) => keys.signing.sign(key, { attributes, data }, coreContext(newUuid())),
      decrypt: (transport, encrypted) => keys.signing.decrypt(key, { transport, encrypted }, coreContext(newUuid())),
    };
  }

  return {
    routes: [],
    async list(use, context) {
      const rows = await findWithKeys(executor, visibleCertificates(context, 'list'));
      const verdicts = await Promise.all(rows.map((row) => evaluateSuitability(keys, row, use)));
      const able = rows.filter((_, index) => 'key' in (verdicts[index] ?? {}));
      return inventory.presentListed(able.map(({ uuid }) => uuid));
    },
    present: async (uuid) => (await inventory.presentListed([uuid]))[0],
    async keyOf(uuid) {
      const row = await findOne(executor, uuid);
      return row && keys.findByPublicKey(row.public_key_fingerprint);
    },
    async problemOf(uuid, use) {
      const verdict = await verdictOf(uuid, use);
      return 'problem' in verdict ? verdict.problem : undefined;
    },
    reach,
    async successorOf(uuid, use) {
      for (const row of await findSuccessors(executor, uuid))
        if ('key' in (await evaluateSuitability(keys, row, use))) return reach(row.uuid, use);
      return undefined;
    },
  };
}
