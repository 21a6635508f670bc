// Tokens that are active in this process.
//
// A destroyed key must not sign again on any node, and a query per signature would cost more than the signature. Keys
// in memory are therefore used under a one-second lease, which is renewed by checking the version in the database.
// Destroying a key, or deactivating or removing its token, increments the version and returns only after other
// processes' leases have expired. ADR 50 explains why this is sufficient.
import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { notFound, unavailable, type ConnectorContext } from '@signetry/connector-sdk';
import { unattendedDataKeyPurpose } from '../declaration.ts';
import { isUuid } from '../problems.ts';
import { ActiveToken, deactivatedError } from './active-token.ts';
import type { TokenStore } from './token-store.ts';

/**
 * How long keys in memory are used without a database check, and how long destroying a key waits for other processes.
 */
const LEASE_MS = 1_000;
/** A lease with less time left is renewed in the background. */
const RENEW_BEFORE_MS = LEASE_MS / 2;

export class ActiveTokens {
  /** This process's identifier in the table of processes that use a token. */
  readonly process = randomUUID();
  private readonly store: TokenStore;
  private readonly context: Pick<ConnectorContext, 'open'>;
  private readonly active = new Map<string, ActiveToken>();
  private readonly opening = new Map<string, Promise<ActiveToken>>();

  constructor(store: TokenStore, context: Pick<ConnectorContext, 'open'>) {
    this.store = store;
    this.context = context;
  }

  /** Returns a token with a valid lease. Rejects tokens that do not exist (404) or are deactivated (422). */
  async get(uuid: string): Promise<ActiveToken> {
    let token = this.active.get(uuid) ?? (await this.openOnce(uuid));
    const left = token.leasedUntil - performance.now();
    if (left > 0) {
      // If the renewal fails, the next caller that needs the lease receives the error.
      if (left < RENEW_BEFORE_MS && !token.renewal) void this.renew(token).catch(() => undefined);
      return token;
    }
    if (await this.look(token)) return token;
    // The token may have been deactivated and activated again elsewhere.
    token = await this.openOnce(uuid);
    await this.renew(token);
    return token;
  }

  /** Returns the token without a lease and without loading it. */
  peek(uuid: string): ActiveToken | undefined {
    return this.active.get(uuid);
  }

  /** Renews the lease. Rejects like `get` if this is not possible. */
  async renew(token: ActiveToken): Promise<void> {
    if (!(await this.look(token))) throw deactivatedError();
  }

  /** If the token is already active, the existing instance and its running operations remain. */
  add(token: ActiveToken): void {
    const known = this.active.get(token.uuid);
    if (known?.deactivations === token.deactivations) return token.close();
    known?.close();
    this.active.set(token.uuid, token);
  }

  remove(uuid: string): void {
    const token = this.active.get(uuid);
    if (token) this.close(token);
  }

  removeAll(): void {
    for (const token of this.active.values()) this.close(token);
  }

  /** Waits until no process can use keys that it loaded before the version was incremented. */
  async outlast(uuid: string, facts?: { readonly isUsedElsewhere: boolean }): Promise<void> {
    const isUsedElsewhere = facts?.isUsedElsewhere ?? (await this.store.isUsedElsewhere(uuid, this.process));
    // Slightly longer than a lease, to allow for timer resolution.
    if (isUsedElsewhere) await setTimeout(LEASE_MS + 5);
    // Signatures confirmed in this process before are returned first.
    else await setImmediate();
  }

  private close(token: ActiveToken): void {
    token.close();
    if (this.active.get(token.uuid) === token) this.active.delete(token.uuid);
  }

  /**
   * Renews the lease by checking the version in the database; returns false if the token is deactivated. Concurrent
   * callers share a check.
   */
  private async look(token: ActiveToken): Promise<boolean> {
    if (token.isClosed) return false;
    token.renewal ??= this.compare(token).finally(() => (token.renewal = undefined));
    await token.renewal;
    return !token.isClosed;
  }

  private async compare(token: ActiveToken): Promise<void> {
    const began = performance.now();
    const version = await this.store.renew(token.uuid, this.process).catch((cause: unknown) => {
      throw unavailable('The database does not respond, so it cannot be verified that the key still exists.', {
        cause,
      });
    });
    if (!version || version.deactivations !== token.deactivations) {
      this.close(token);
      if (!version) throw notFound('Token', token.uuid);
      return;
    }
    if (token.revision !== version.revision) {
      token.revision = version.revision;
      token.forgetKeys();
    }
    token.leasedUntil = began + LEASE_MS;
  }

  private openOnce(uuid: string): Promise<ActiveToken> {
    const underWay = this.opening.get(uuid);
    if (underWay) return underWay;
    const started = this.openUnattended(uuid).finally(() => this.opening.delete(uuid));
    this.opening.set(uuid, started);
    return started;
  }

  /** Loads a token that stays active, without its code. */
  private async openUnattended(uuid: string): Promise<ActiveToken> {
    const row = isUuid(uuid) ? await this.store.find(uuid) : undefined;
    if (!row) throw notFound('Token', uuid);
    if (!row.sealed_unattended_key) throw deactivatedError();
    await this.store.forgetUsers(uuid);
    const plain = this.context.open(row.sealed_unattended_key, unattendedDataKeyPurpose(uuid));
    const token = new ActiveToken(uuid, Buffer.from(plain), row);
    plain.fill(0);
    this.add(token);
    return this.active.get(uuid) ?? token;
  }
}
