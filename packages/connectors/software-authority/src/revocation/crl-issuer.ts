// Issues CRLs on request: returns the stored CRL if it is complete and fresh, and issues a new one otherwise. Full CRLs
// are issued on a schedule. Depending on the authority, a revocation either triggers an early full CRL or is left to
// the delta. Deltas refer to the last scheduled CRL, so that a relying party that has it needs only the delta (RFC 5280
// §5.2.4). They also apply to any later full CRL. Partition CRLs work the same way, but are always issued early: they
// are short and have no deltas.
import { notFound, rejected } from '@signetry/connector-sdk';
import { assembleCrl, buildTbsCertList, parseCrl } from '@signetry/pki';
import { signWith, type SigningAuthority } from '../authorities/signing-authority.ts';
import type { ClockGuard } from '../issuance/clock-guard.ts';
import type { CrlShard, CrlShards } from './crl-shards.ts';
import type { CrlFacts, CrlStore, ReservedCrl } from './crl-store.ts';
import type { CrlCache } from './crl-cache.ts';

export interface CrlIssuer {
  /**
   * Returns a DER CRL that contains every revocation acknowledged before the call. If the authority leaves revocations
   * to deltas, a full CRL contains only the revocations up to its issuance. Callers share the buffer and must not
   * modify it.
   */
  get(authority: SigningAuthority, kind: CrlChoice): Promise<Uint8Array>;
}

export interface CrlChoice {
  readonly delta: boolean;
  /**
   * Number of the partition whose CRL is requested. If present, `delta` is ignored. Throws 404 if no certificate can
   * refer to the partition.
   */
  readonly shard?: number | undefined;
}

export interface CrlIssuerParts {
  readonly complete: CrlStore;
  readonly ofShards: CrlStore;
  readonly shards: Pick<CrlShards, 'find'>;
  readonly kept: CrlCache;
  readonly guard: ClockGuard;
}

/** A sequence of CRLs, covering either all of an authority's certificates or one partition. */
interface Sequence {
  readonly authority: SigningAuthority;
  readonly store: CrlStore;
  /** The authority or the CRL partition. */
  readonly ownerUuid: string;
  readonly shard: CrlShard | undefined;
  /** Whether a revocation triggers a full CRL immediately. */
  readonly isEarly: boolean;
}

export const createCrlIssuer = (parts: CrlIssuerParts): CrlIssuer => new StoredCrlIssuer(parts);

class StoredCrlIssuer implements CrlIssuer {
  private readonly parts: CrlIssuerParts;
  /** Callers that arrive while a CRL is being issued wait for it and then check again. */
  private readonly running = new Map<string, Promise<Uint8Array>>();

  constructor(parts: CrlIssuerParts) {
    this.parts = parts;
  }

  async get(authority: SigningAuthority, { delta, shard }: CrlChoice): Promise<Uint8Array> {
    const now = await this.parts.guard.now();
    if (shard !== undefined) {
      // Looked up within the queue, so that the next CRL includes URLs recorded while the previous one was being
      // issued.
      return this.inTurn(`${authority.uuid} ${shard}`, async () =>
        this.currentFull(await this.shardOf(authority, shard), now),
      );
    }
    const sequence = this.completeOf(authority);
    return this.inTurn(authority.uuid, () =>
      delta ? this.currentDelta(sequence, now) : this.currentFull(sequence, now),
    );
  }

  private async inTurn(slot: string, work: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const earlier = this.running.get(slot);
    const own = (earlier ?? Promise.resolve()).then(work, work);
    this.running.set(slot, own);
    try {
      return await own;
    } finally {
      if (this.running.get(slot) === own) this.running.delete(slot);
    }
  }

  private completeOf(authority: SigningAuthority): Sequence {
    return {
      authority,
      store: this.parts.complete,
      ownerUuid: authority.uuid,
      shard: undefined,
      isEarly: authority.crlOnRevocation === 'full',
    };
  }

  private async shardOf(authority: SigningAuthority, number: number): Promise<Sequence> {
    const shard = await this.parts.shards.find(authority.uuid, number);
    if (!shard) throw notFound(`CRL partition ${number} of`, authority.name);
    return { authority, store: this.parts.ofShards, ownerUuid: shard.uuid, shard, isEarly: true };
  }

  private async currentFull(sequence: Sequence, now: Date): Promise<Uint8Array> {
    const { authority, store, ownerUuid } = sequence;
    const { full, scheduled } = await store.findLatest(ownerUuid);
    if (!full || !scheduled || !isFresh(scheduled, authority.crlValidityMs, now))
      return this.makeFull(sequence, { now, isScheduled: true });
    const isEarlyOneDue =
      sequence.isEarly && (!isFresh(full, authority.crlValidityMs, now) || (await store.isOutdated(ownerUuid, full)));
    if (isEarlyOneDue) return this.makeFull(sequence, { now, isScheduled: false });
    const der = await this.octetsOf(sequence, full);
    return sequence.shard && !listsAllUrls(der, sequence.shard)
      ? this.makeFull(sequence, { now, isScheduled: false })
      : der;
  }

  private async currentDelta(sequence: Sequence, now: Date): Promise<Uint8Array> {
    const { authority, store, ownerUuid } = sequence;
    const base = await this.baseOf(sequence, now);
    const { delta } = await store.findLatest(ownerUuid);
    const isUsable =
      delta?.baseNumber === base.number &&
      isFresh(delta, authority.deltaCrlValidityMs, now) &&
      !(await store.isDeltaOutdated(ownerUuid, { number: delta.number, baseNumber: base.number }));
    return delta && isUsable ? this.octetsOf(sequence, delta) : this.makeDelta(sequence, { now, base });
  }

  /**
   * Returns the scheduled CRL that relying parties have; a new one that has not been fetched yet is not useful as a
   * base.
   */
  private async baseOf(sequence: Sequence, now: Date): Promise<CrlFacts> {
    const { store, ownerUuid } = sequence;
    const { scheduled } = await store.findLatest(ownerUuid);
    if (scheduled && scheduled.nextUpdate > now) return scheduled;
    await this.makeFull(sequence, { now, isScheduled: true });
    const made = (await store.findLatest(ownerUuid)).scheduled;
    if (!made) throw new Error(`The full CRL of authority ${ownerUuid} was issued but not found.`);
    return made;
  }

  private async makeFull(
    sequence: Sequence,
    { now, isScheduled }: { readonly now: Date; readonly isScheduled: boolean },
  ): Promise<Uint8Array> {
    const { authority, store, ownerUuid } = sequence;
    rejectWithoutCrlSign(authority);
    const { crlValidityMs: validityMs } = authority;
    const reserved = await store.reserveFull({ ownerUuid, now, validityMs, isScheduled });
    return this.finish(sequence, reserved, { base: undefined, isScheduled });
  }

  private async makeDelta(
    sequence: Sequence,
    { now, base }: { readonly now: Date; readonly base: CrlFacts },
  ): Promise<Uint8Array> {
    const { authority, store, ownerUuid } = sequence;
    rejectWithoutCrlSign(authority);
    const { deltaCrlValidityMs: validityMs } = authority;
    const reserved = await store.reserveDelta({ ownerUuid, now, validityMs, base });
    return this.finish(sequence, reserved, { base, isScheduled: true });
  }

  private async finish(
    { authority, store, ownerUuid, shard }: Sequence,
    reserved: ReservedCrl,
    { base, isScheduled }: { readonly base: CrlFacts | undefined; readonly isScheduled: boolean },
  ): Promise<Uint8Array> {
    const { number, entries, thisUpdate, nextUpdate } = reserved;
    const pointsToDeltas = !base && !shard && authority.deltaCrlUrls.length > 0;
    const tbs = buildTbsCertList({
      signatureAlgorithm: authority.algorithm,
      issuer: authority.certificate.subjectDer,
      thisUpdateMs: thisUpdate.getTime(),
      nextUpdateMs: nextUpdate.getTime(),
      crlNumber: number,
      ...(base ? { baseCrlNumber: base.number } : {}),
      ...(shard ? { issuingDistributionPoint: { urls: shard.urls } } : {}),
      ...(pointsToDeltas ? { freshestCrlUrls: authority.deltaCrlUrls } : {}),
      authorityKeyIdentifier: authority.keyIdentifier,
      entries,
    });
    const der = assembleCrl(tbs, { algorithm: authority.algorithm, signature: await signWith(authority, tbs) });
    await store.finish(ownerUuid, { number, isDelta: base !== undefined, isScheduled, der });
    this.parts.kept.keep(ownerUuid, { number, isDelta: base !== undefined, der });
    return der;
  }

  private async octetsOf({ store, ownerUuid }: Sequence, crl: CrlFacts): Promise<Uint8Array> {
    const der = await store.octetsOf(ownerUuid, crl);
    this.parts.kept.keep(ownerUuid, { number: crl.number, isDelta: crl.baseNumber !== undefined, der });
    return der;
  }
}

/** Returns whether a CRL lists every URL that a certificate in the partition may contain. */
function listsAllUrls(der: Uint8Array, { urls }: CrlShard): boolean {
  const names = parseCrl(der).issuingDistributionPoint?.fullName ?? [];
  const listed = new Set(names.map((name) => (name.kind === 'uniformResourceIdentifier' ? name.value : '')));
  return urls.every((url) => listed.has(url));
}

/** CRLs are renewed halfway through their validity period, so that the published CRL always has some validity left. */
const isFresh = (crl: Pick<CrlFacts, 'nextUpdate'>, validityMs: number, now: Date): boolean =>
  crl.nextUpdate.getTime() - now.getTime() > validityMs / 2;

/** An imported CA certificate may lack the key usage for signing CRLs (RFC 5280 §4.2.1.3). */
function rejectWithoutCrlSign({ name, certificate }: SigningAuthority): void {
  if (certificate.keyUsage && !certificate.keyUsage.includes('cRLSign')) {
    throw rejected(`${name} cannot sign CRLs: its certificate lacks the key usage cRLSign.`);
  }
}
