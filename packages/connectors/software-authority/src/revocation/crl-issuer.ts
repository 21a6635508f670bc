// Issues CRLs on request: the stored one while it is complete and fresh, otherwise a new one. Full lists are made on
// schedule; depending on the authority, a revocation makes one early or is left to the delta. Deltas refer to the last
// scheduled list, so that a relying party that has it needs only the delta (RFC 5280 §5.2.4); they also apply to any
// later full list. Lists of shards are made in the same way, always early: they are short and have no deltas.
import { notFound, rejected } from '@signetry/connector-sdk';
import { assembleCrl, buildTbsCertList, parseCrl } from '@signetry/pki';
import { signWith, type SigningAuthority } from '../authorities/signing-authority.ts';
import type { ClockGuard } from '../issuance/clock-guard.ts';
import type { CrlShard, CrlShards } from './crl-shards.ts';
import type { CrlFacts, CrlStore, ReservedCrl } from './crl-store.ts';
import type { KeptCrls } from './kept-crls.ts';

export interface CrlIssuer {
  /**
   * DER of a CRL with every revocation acknowledged before the call; if the authority leaves revocations to deltas, the
   * full list has those until it was made. Callers share the octets and must not change them.
   */
  get(authority: SigningAuthority, kind: CrlChoice): Promise<Uint8Array>;
}

export interface CrlChoice {
  readonly delta: boolean;
  /** The list of one shard; `delta` is ignored then. Refused with 404 if no certificate can name the shard. */
  readonly shard?: number | undefined;
}

export interface CrlIssuerParts {
  readonly complete: CrlStore;
  readonly ofShards: CrlStore;
  readonly shards: Pick<CrlShards, 'find'>;
  readonly kept: KeptCrls;
  readonly guard: ClockGuard;
}

/** A sequence of lists: of all certificates of an authority, or of those of a shard. */
interface Sequence {
  readonly authority: SigningAuthority;
  readonly store: CrlStore;
  /** The authority or the shard. */
  readonly ownerUuid: string;
  readonly shard: CrlShard | undefined;
  /** Whether a revocation makes a full list at once. */
  readonly isEarly: boolean;
}

export const createCrlIssuer = (parts: CrlIssuerParts): CrlIssuer => new StoredCrlIssuer(parts);

class StoredCrlIssuer implements CrlIssuer {
  private readonly parts: CrlIssuerParts;
  /** Callers that arrive while a CRL is being made wait for it and then look again. */
  private readonly running = new Map<string, Promise<Uint8Array>>();

  constructor(parts: CrlIssuerParts) {
    this.parts = parts;
  }

  async get(authority: SigningAuthority, { delta, shard }: CrlChoice): Promise<Uint8Array> {
    const now = await this.parts.guard.now();
    if (shard !== undefined) {
      // Looked up in turn: URLs that were recorded while another list was being made are in the next one.
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
    if (!shard) throw notFound(`Shard ${number} of the CRL of`, authority.name);
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
    return sequence.shard && !namesAll(der, sequence.shard)
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
   * The scheduled list that relying parties have: a new one that nobody has fetched yet is of no use to them.
   */
  private async baseOf(sequence: Sequence, now: Date): Promise<CrlFacts> {
    const { store, ownerUuid } = sequence;
    const { scheduled } = await store.findLatest(ownerUuid);
    if (scheduled && scheduled.nextUpdate > now) return scheduled;
    await this.makeFull(sequence, { now, isScheduled: true });
    const made = (await store.findLatest(ownerUuid)).scheduled;
    if (!made) throw new Error(`The full CRL of the authority ${ownerUuid} was made but does not exist.`);
    return made;
  }

  private async makeFull(
    sequence: Sequence,
    { now, isScheduled }: { readonly now: Date; readonly isScheduled: boolean },
  ): Promise<Uint8Array> {
    const { authority, store, ownerUuid } = sequence;
    refuseWithoutRight(authority);
    const { crlValidityMs: validityMs } = authority;
    const reserved = await store.reserveFull({ ownerUuid, now, validityMs, isScheduled });
    return this.finish(sequence, reserved, { base: undefined, isScheduled });
  }

  private async makeDelta(
    sequence: Sequence,
    { now, base }: { readonly now: Date; readonly base: CrlFacts },
  ): Promise<Uint8Array> {
    const { authority, store, ownerUuid } = sequence;
    refuseWithoutRight(authority);
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

/** Whether a list names every URL that a certificate of the shard may name. */
function namesAll(der: Uint8Array, { urls }: CrlShard): boolean {
  const names = parseCrl(der).issuingDistributionPoint?.fullName ?? [];
  const listed = new Set(names.map((name) => (name.kind === 'uniformResourceIdentifier' ? name.value : '')));
  return urls.every((url) => listed.has(url));
}

/** Renewed halfway through its validity, so that the published list always stays valid for a while. */
const isFresh = (crl: Pick<CrlFacts, 'nextUpdate'>, validityMs: number, now: Date): boolean =>
  crl.nextUpdate.getTime() - now.getTime() > validityMs / 2;

/** RFC 5280 §4.2.1.3: an imported CA may lack the key usage. */
function refuseWithoutRight({ name, certificate }: SigningAuthority): void {
  if (certificate.keyUsage && !certificate.keyUsage.includes('cRLSign')) {
    throw rejected(`The certificate of ${name} lacks the key usage cRLSign, so it cannot sign CRLs.`);
  }
}
