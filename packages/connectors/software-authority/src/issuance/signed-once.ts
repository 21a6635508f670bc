// The order of issuing: journal entry, commit, signature, commit, response. So nothing is signed without a record, nor
// before the caller says that it may be, and a repeated call yields the same certificate. With a key in memory and a
// caller who keeps its records in the same database, the caller's commit is the second one: an answer that it did not
// record went nowhere, and the entry is signed again.
import {
  ConnectorError,
  isConnectorError,
  rejected,
  type ConnectorContext,
  type WriteDurability,
} from '@signetry/connector-sdk';
import { equalBytes, generateSerialNumber } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { certificateOf, signWith, type SigningAuthority } from '../authorities/signing-authority.ts';
import type { CertificatePlan } from './certificate-plan.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { IssuanceJournal, IssuanceOperation, JournalEntry } from './issuance-journal.ts';

export interface IssuanceCall {
  readonly authority: Pick<SigningAuthority, 'uuid' | 'key' | 'algorithm'>;
  readonly operation: IssuanceOperation;
  readonly idempotencyKey: string | undefined;
  readonly requestDigest: Uint8Array;
  /** Nothing is signed before this resolves, and nothing at all when it rejects. */
  readonly committed?: Promise<void> | undefined;
  /** Decides about the certificate; refuses by throwing. */
  plan(now: Date): CertificatePlan | Promise<CertificatePlan>;
}

export interface IssuedCertificate {
  readonly der: Uint8Array;
  readonly serial: Uint8Array;
}

export type SignOnce = (call: IssuanceCall) => Promise<IssuedCertificate>;

export interface SignOnceParts {
  readonly journal: IssuanceJournal;
  readonly guard: ClockGuard;
  readonly randomBytes: ConnectorContext['randomBytes'];
  readonly log: ConnectorContext['log'];
  /** The caller's record of an answer is committed after or together with the signature. */
  readonly isSharedWithCaller: boolean;
}

type NewEntry = Pick<JournalEntry, 'id' | 'tbs' | 'serial'>;

/** Two equal numbers of 126 random bits mean a broken generator: give up after some attempts. */
const MAX_SERIAL_TRIES = 3;

/** A function that carries out each call once, and returns the same certificate for a repeated one. */
export function createSignOnce(parts: SignOnceParts): SignOnce {
  const signer = new Signer(parts);
  return (call) => signer.sign(call);
}

class Signer {
  private readonly parts: SignOnceParts;
  /** Running calls by their key: equal ones wait for the first instead of signing the same octets again. */
  private readonly running = new Map<string, Promise<IssuedCertificate>>();

  constructor(parts: SignOnceParts) {
    this.parts = parts;
  }

  async sign(call: IssuanceCall): Promise<IssuedCertificate> {
    if (call.idempotencyKey === undefined) return this.carryOut(call);
    const slot = `${call.authority.uuid} ${call.idempotencyKey}`;
    const first = this.running.get(slot);
    if (first) {
      await first.catch(() => undefined);
      return this.carryOut(call);
    }
    const started = this.carryOut(call).finally(() => this.running.delete(slot));
    this.running.set(slot, started);
    return started;
  }

  private async carryOut(call: IssuanceCall): Promise<IssuedCertificate> {
    try {
      return await this.issueNew(call);
    } catch (error) {
      // The profile may have changed since the first call; the recorded decision still applies.
      if (!isConnectorError(error) || error.status !== 422) throw error;
      const earlier = await this.findEarlier(call);
      if (!earlier) throw error;
      return this.replay(call, earlier);
    }
  }

  private async issueNew(call: IssuanceCall): Promise<IssuedCertificate> {
    const { journal, guard, randomBytes } = this.parts;
    const now = await guard.now();
    const plan = await call.plan(now);
    const durability = this.durabilityOf(call);
    // The commit of an entry that is waited for makes what the caller wrote before it durable too.
    if (durability === 'atOnce') await call.committed;
    for (let attempt = 0; attempt < MAX_SERIAL_TRIES; attempt += 1) {
      const serial = generateSerialNumber(randomBytes);
      const tbs = plan.tbsFor(serial);
      const reserved = journal.reserve({
        authorityUuid: call.authority.uuid,
        serial,
        idempotencyKey: call.idempotencyKey,
        operation: call.operation,
        requestDigest: call.requestDigest,
        keyFingerprint: nodeCrypto.sha256(plan.publicKey.spki),
        namesOverridden: plan.namesOverridden,
        expiresAt: new Date(plan.notAfterMs),
        preparedAt: now,
        tbsSha256: nodeCrypto.sha256(tbs),
        tbs,
        durability,
      });
      const [id] = await Promise.all([reserved, call.committed]);
      if (id !== undefined) {
        guard.recorded(now);
        return this.completeNew(call, { id, tbs, serial });
      }
      const earlier = await this.findEarlier(call);
      if (earlier) return this.replay(call, earlier);
    }
    throw new ConnectorError(500, 'The random number generator repeats serial numbers; nothing was signed.');
  }

  /** Before the caller's record nothing of it is anywhere but in this process and in the database of both. */
  private durabilityOf({ authority }: IssuanceCall): WriteDurability {
    return this.parts.isSharedWithCaller && authority.key.isInMemory ? 'withAnswer' : 'atOnce';
  }

  /** Nobody else can have signed a new entry, so the answer need not wait for the commit of its signature. */
  private async completeNew(call: IssuanceCall, entry: NewEntry): Promise<IssuedCertificate> {
    const { journal, log } = this.parts;
    if (this.durabilityOf(call) === 'atOnce') return this.complete(call, entry);
    const signature = await signWith(call.authority, entry.tbs);
    journal
      .recordSignature({ id: entry.id, signature, durability: 'withAnswer' })
      .catch((error: unknown) => log.error({ error, entry: entry.id }, 'A signature could not be recorded'));
    return { der: certificateOf(call.authority, { tbs: entry.tbs, signature }), serial: entry.serial };
  }

  private async complete({ authority }: IssuanceCall, entry: NewEntry): Promise<IssuedCertificate> {
    const own = await signWith(authority, entry.tbs);
    const signature = await this.parts.journal.recordSignature({ id: entry.id, signature: own, durability: 'atOnce' });
    return { der: certificateOf(authority, { tbs: entry.tbs, signature }), serial: entry.serial };
  }

  private async findEarlier({ authority, idempotencyKey }: IssuanceCall): Promise<JournalEntry | undefined> {
    return idempotencyKey === undefined ? undefined : this.parts.journal.findByKey(authority.uuid, idempotencyKey);
  }

  private async replay(call: IssuanceCall, entry: JournalEntry): Promise<IssuedCertificate> {
    await call.committed;
    if (!equalBytes(entry.requestDigest, call.requestDigest)) {
      throw rejected(`The idempotency key ${call.idempotencyKey} was used for another request.`);
    }
    const { tbs, signature, serial } = entry;
    if (!signature) return this.complete(call, entry);
    return { der: certificateOf(call.authority, { tbs, signature }), serial };
  }
}
