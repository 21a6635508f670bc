// Makes CRLs when they are asked for: the stored one while it is complete and fresh, else a new one. Full lists are made on
// schedule; a revocation makes one early, or is left to the delta, as the authority says. Deltas refer to the last scheduled
// list, so that a relying party that has it needs the delta only (RFC 5280 §5.2.4); any later full list takes them, too.
import { rejected } from '@signetry/connector-sdk';
import { assembleCrl, buildTbsCertList } from '@signetry/pki';
import { signWith, type SigningAuthority } from '../authorities/signing-authority.ts';
import type { ClockGuard } from '../issuance/clock-guard.ts';
import type { CrlFacts, CrlStore, ReservedCrl } from './crl-store.ts';
import type { KeptCrls } from './kept-crls.ts';

export interface CrlIssuer {
  /**
   * DER of a CRL that has every revocation acknowledged before the call; of an authority that leaves revocations to deltas the
   * full list has those until it was made. Callers share the octets and must not change them.
   */
  get(authority: SigningAuthority, kind: { readonly delta: boolean }): Promise<Uint8Array>;
}

export interface CrlIssuerParts {
  readonly store: CrlStore;
  readonly kept: KeptCrls;
  readonly guard: ClockGuard;
}

export function createCrlIssuer({ store, kept, guard }: CrlIssuerParts): CrlIssuer {
  /** Callers that arrive while a CRL is being made wait for it and then look again. */
  const underWay = new Map<string, Promise<Uint8Array>>();

  async function inTurn(slot: string, work: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const earlier = underWay.get(slot);
    const own = (earlier ?? Promise.resolve()).then(work, work);
    underWay.set(slot, own);
    try {
      return await own;
    } finally {
      if (underWay.get(slot) === own) underWay.delete(slot);
    }
  }

  async function currentFull(authority: SigningAuthority, now: Date): Promise<Uint8Array> {
    const { full, scheduled } = await store.findLatest(authority.uuid);
    if (!full || !scheduled || !isFresh(scheduled, authority.crlValidityMs, now))
      return makeFull(authority, { now, isScheduled: true });
    const isEarlyOneDue =
      authority.crlOnRevocation === 'full' &&
      (!isFresh(full, authority.crlValidityMs, now) || (await store.isOutdated(authority.uuid, full)));
    return isEarlyOneDue ? makeFull(authority, { now, isScheduled: false }) : octetsOf(authority, full);
  }

  async function currentDelta(authority: SigningAuthority, now: Date): Promise<Uint8Array> {
    const base = await baseOf(authority, now);
    const { delta } = await store.findLatest(authority.uuid);
    const isUsable =
      delta?.baseNumber === base.number &&
      isFresh(delta, authority.deltaCrlValidityMs, now) &&
      !(await store.isDeltaOutdated(authority.uuid, { number: delta.number, baseNumber: base.number }));
    return delta && isUsable ? octetsOf(authority, delta) : makeDelta(authority, { now, base });
  }

  /** The scheduled list that relying parties have: a fresh one that nobody has fetched yet would be of no use to them. */
  async function baseOf(authority: SigningAuthority, now: Date): Promise<CrlFacts> {
    const { scheduled } = await store.findLatest(authority.uuid);
    if (scheduled && scheduled.nextUpdate > now) return scheduled;
    await makeFull(authority, { now, isScheduled: true });
    const made = (await store.findLatest(authority.uuid)).scheduled;
    if (!made) throw new Error(`The full CRL of the authority ${authority.uuid} was made and is not there.`);
    return made;
  }

  async function makeFull(
    authority: SigningAuthority,
    { now, isScheduled }: { readonly now: Date; readonly isScheduled: boolean },
  ): Promise<Uint8Array> {
    refuseWithoutRight(authority);
    const { uuid: authorityUuid, crlValidityMs: validityMs } = authority;
    const reserved = await store.reserveFull({ authorityUuid, now, validityMs, isScheduled });
    return finish(authority, reserved, { base: undefined, isScheduled });
  }

  async function makeDelta(
    authority: SigningAuthority,
    { now, base }: { readonly now: Date; readonly base: CrlFacts },
  ): Promise<Uint8Array> {
    refuseWithoutRight(authority);
    const { uuid: authorityUuid, deltaCrlValidityMs: validityMs } = authority;
    const reserved = await store.reserveDelta({ authorityUuid, now, validityMs, base });
    return finish(authority, reserved, { base, isScheduled: true });
  }

  async function finish(
    authority: SigningAuthority,
    reserved: ReservedCrl,
    { base, isScheduled }: { readonly base: CrlFacts | undefined; readonly isScheduled: boolean },
  ): Promise<Uint8Array> {
    const { number, entries, thisUpdate, nextUpdate } = reserved;
    const pointsToDeltas = !base && authority.deltaCrlUrls.length > 0;
    const tbs = buildTbsCertList({
      signatureAlgorithm: authority.algorithm,
      issuer: authority.certificate.subjectDer,
      thisUpdateMs: thisUpdate.getTime(),
      nextUpdateMs: nextUpdate.getTime(),
      crlNumber: number,
      ...(base ? { baseCrlNumber: base.number } : {}),
      ...(pointsToDeltas ? { freshestCrlUrls: authority.deltaCrlUrls } : {}),
      authorityKeyIdentifier: authority.keyIdentifier,
      entries,
    });
    const der = assembleCrl(tbs, { algorithm: authority.algorithm, signature: await signWith(authority, tbs) });
    await store.finish(authority.uuid, { number, isDelta: base !== undefined, isScheduled, der });
    kept.keep(authority.uuid, { number, isDelta: base !== undefined, der });
    return der;
  }

  async function octetsOf({ uuid }: SigningAuthority, crl: CrlFacts): Promise<Uint8Array> {
    const der = await store.octetsOf(uuid, crl);
    kept.keep(uuid, { number: crl.number, isDelta: crl.baseNumber !== undefined, der });
    return der;
  }

  return {
    async get(authority, { delta }) {
      const now = await guard.now();
      return inTurn(authority.uuid, () => (delta ? currentDelta(authority, now) : currentFull(authority, now)));
    },
  };
}

/** Renewed at half of its life, so that relying parties always find one that is good for a while. */
const isFresh = (crl: Pick<CrlFacts, 'nextUpdate'>, validityMs: number, now: Date): boolean =>
  crl.nextUpdate.getTime() - now.getTime() > validityMs / 2;

/** RFC 5280 §4.2.1.3: an imported CA may lack the right. */
function refuseWithoutRight({ name, certificate }: SigningAuthority): void {
  if (certificate.keyUsage && !certificate.keyUsage.includes('cRLSign')) {
    throw rejected(`The certificate of ${name} lacks the key usage cRLSign, so it cannot sign CRLs.`);
  }
}
