// Makes CRLs when they are asked for: the stored one while it is complete and fresh, else a new one.
import { rejected } from '@signetry/connector-sdk';
import { assembleCrl, buildTbsCertList } from '@signetry/pki';
import { signWith, type SigningAuthority } from '../authorities/signing-authority.ts';
import type { ClockGuard } from '../issuance/clock-guard.ts';
import type { CrlStore, StoredCrl } from './crl-store.ts';

export interface CrlIssuer {
  /** DER of a CRL that has every revocation acknowledged before the call. */
  get(authority: SigningAuthority, kind: { readonly delta: boolean }): Promise<Uint8Array>;
}

export function createCrlIssuer({ store, guard }: { readonly store: CrlStore; readonly guard: ClockGuard }): CrlIssuer {
  /** Callers that arrive while a CRL is being made wait for it and then look again. */
  const underWay = new Map<string, Promise<StoredCrl>>();

  async function inTurn(slot: string, work: () => Promise<StoredCrl>): Promise<StoredCrl> {
    const earlier = underWay.get(slot);
    const own = (earlier ?? Promise.resolve()).then(work, work);
    underWay.set(slot, own);
    try {
      return await own;
    } finally {
      if (underWay.get(slot) === own) underWay.delete(slot);
    }
  }

  async function currentFull(authority: SigningAuthority, now: Date): Promise<StoredCrl> {
    const latest = await store.findLatest(authority.uuid, { isDelta: false });
    const isUsable =
      latest && isFresh(latest, authority.crlValidityMs, now) && !(await store.isOutdated(authority.uuid, latest));
    return isUsable ? latest : make(authority, { now });
  }

  async function currentDelta(authority: SigningAuthority, now: Date): Promise<StoredCrl> {
    const base = (await store.findLatest(authority.uuid, { isDelta: false })) ?? (await make(authority, { now }));
    const latest = await store.findLatest(authority.uuid, { isDelta: true });
    const isUsable =
      latest?.baseNumber === base.number &&
      isFresh(latest, authority.deltaCrlValidityMs, now) &&
      !(await store.isDeltaOutdated(authority.uuid, { number: latest.number, baseNumber: base.number }));
    return latest && isUsable ? latest : make(authority, { now, base });
  }

  async function make(
    authority: SigningAuthority,
    wanted: { readonly now: Date; readonly base?: StoredCrl },
  ): Promise<StoredCrl> {
    refuseWithoutRight(authority);
    const { now, base } = wanted;
    const validityMs = base ? authority.deltaCrlValidityMs : authority.crlValidityMs;
    const reserved = await store.reserve({ authorityUuid: authority.uuid, now, validityMs, ...(base ? { base } : {}) });
    const tbs = buildTbsCertList({
      signatureAlgorithm: authority.algorithm,
      issuer: authority.certificate.subjectDer,
      thisUpdateMs: reserved.thisUpdate.getTime(),
      nextUpdateMs: reserved.nextUpdate.getTime(),
      crlNumber: reserved.number,
      ...(base ? { baseCrlNumber: base.number } : {}),
      authorityKeyIdentifier: authority.keyIdentifier,
      entries: reserved.entries,
    });
    const der = assembleCrl(tbs, { algorithm: authority.algorithm, signature: await signWith(authority, tbs) });
    await store.finish(authority.uuid, { number: reserved.number, isDelta: base !== undefined, der });
    return { ...reserved, baseNumber: base?.number, der };
  }

  return {
    async get(authority, { delta }) {
      const now = await guard.now();
      const work = () => (delta ? currentDelta(authority, now) : currentFull(authority, now));
      return (await inTurn(authority.uuid, work)).der;
    },
  };
}

/** Renewed at half of its life, so that relying parties always find one that is good for a while. */
const isFresh = (crl: StoredCrl, validityMs: number, now: Date): boolean =>
  crl.nextUpdate.getTime() - now.getTime() > validityMs / 2;

/** RFC 5280 §4.2.1.3: an imported CA may lack the right. */
function refuseWithoutRight({ name, certificate }: SigningAuthority): void {
  if (certificate.keyUsage && !certificate.keyUsage.includes('cRLSign')) {
    throw rejected(`The certificate of ${name} lacks the key usage cRLSign, so it cannot sign CRLs.`);
  }
}
