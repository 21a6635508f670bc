// The tokens that are active in this process.
//
// A key that is destroyed must not sign again, on no node, and a statement for each signature would cost more than the
// signature. So what is in memory is used under a lease of a second, which the version in the database renews; whoever
// destroys a key, or deactivates or removes its token, raises the version and answers only when leases of other
// processes have ended. ADR 50 has the argument.
import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { notFound, unavailable, type ConnectorContext } from '@signetry/connector-sdk';
import { unattendedDataKeyPurpose } from '../declaration.ts';
import { isUuid } from '../problems.ts';
import { ActiveToken, deactivated } from './active-token.ts';
import type { TokenStore } from './token-store.ts';

/** How long keys in memory are used without a look at the database; and how long who destroys one waits for others. */
const LEASE_MS = 1_000;
/** A lease of which less is left is renewed beside the work. */
const RENEW_BEFORE_MS = LEASE_MS / 2;

export class ActiveTokens {
  /** Of this process, in the table of those that use a token. */
  readonly process = randomUUID();
  private readonly store: TokenStore;
  private readonly context: Pick<ConnectorContext, 'open'>;
  private readonly active = new Map<string, ActiveToken>();
  private readonly opening = new Map<string, Promise<ActiveToken>>();

  constructor(store: TokenStore, context: Pick<ConnectorContext, 'open'>) {
    this.store = store;
    this.context = context;
  }

  /** With a lease. Refuses a token that does not exist (404) or is deactivated (422). */
  async get(uuid: string): Promise<ActiveToken> {
    let token = this.active.get(uuid) ?? (await this.openOnce(uuid));
    const left = token.leasedUntil - performance.now();
    if (left > 0) {
      // Whoever needs the lease next finds out what is wrong.
      if (left < RENEW_BEFORE_MS && !token.renewal) void this.renew(token).catch(() => undefined);
      return token;
    }
    if (await this.look(token)) return token;
    // Deactivated and activated again elsewhere, perhaps.
    token = await this.openOnce(uuid);
    await this.renew(token);
    return token;
  }

  /** Without a lease, and without opening anything. */
  peek(uuid: string): ActiveToken | undefined {
    return this.active.get(uuid);
  }

  /** Renews the lease, or refuses as `get` does. */
  async renew(token: ActiveToken): Promise<void> {
    if (!(await this.look(token))) throw deactivated();
  }

  /** One that is active already stays, with what is under way in it. */
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

  /** Waits until no process can use what it had in memory before the version rose. */
  async outlast(uuid: string, facts?: { readonly isUsedElsewhere: boolean }): Promise<void> {
    const isUsedElsewhere = facts?.isUsedElsewhere ?? (await this.store.isUsedElsewhere(uuid, this.process));
    // A little longer than a lease, for the resolution of timers.
    if (isUsedElsewhere) await setTimeout(LEASE_MS + 5);
    // Signatures that were confirmed here before are answered before.
    else await setImmediate();
  }

  private close(token: ActiveToken): void {
    token.close();
    if (this.active.get(token.uuid) === token) this.active.delete(token.uuid);
  }

  /** Renews the lease by the version in the database; false where the token is deactivated. Callers share a look. */
  private async look(token: ActiveToken): Promise<boolean> {
    if (token.isClosed) return false;
    token.renewal ??= this.compare(token).finally(() => (token.renewal = undefined));
    await token.renewal;
    return !token.isClosed;
  }

  private async compare(token: ActiveToken): Promise<void> {
    const began = performance.now();
    const version = await this.store.renew(token.uuid, this.process).catch((cause: unknown) => {
      throw unavailable('The database does not answer, so it is not known whether the key still exists.', { cause });
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

  /** A token that stays active opens by itself. */
  private async openUnattended(uuid: string): Promise<ActiveToken> {
    const row = isUuid(uuid) ? await this.store.find(uuid) : undefined;
    if (!row) throw notFound('Token', uuid);
    if (!row.sealed_unattended_key) throw deactivated();
    await this.store.forgetUsers(uuid);
    const plain = this.context.open(row.sealed_unattended_key, unattendedDataKeyPurpose(uuid));
    const token = new ActiveToken(uuid, Buffer.from(plain), row);
    plain.fill(0);
    this.add(token);
    return this.active.get(uuid) ?? token;
  }
}
