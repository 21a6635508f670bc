// Sessions with a single token. Runs in the library's process. One session holds the login and is never used for
// anything else, because the user is logged out when the last session closes. The other sessions are lent out, one per
// call.
import { CKF, CKR, CKU } from './constants.ts';
import type { Cryptoki, Handle } from './cryptoki.ts';
import { codeOf, ModuleFailure, isSessionLost } from './failures.ts';
import { REASONS, type SessionFacts } from './protocol.ts';

export class TokenSessions {
  readonly slot: Handle;
  /** Handles of previously found objects, keyed by search criteria. */
  readonly objects = new Map<string, Handle>();
  readonly #cryptoki: Cryptoki;
  readonly #login: Handle;
  readonly #idle: Handle[] = [];
  readonly #waiting: (() => void)[] = [];
  #inUse = 0;
  #isEnded = false;
  #isLost = false;

  /** Opens the first session; no user is logged in yet. */
  constructor(cryptoki: Cryptoki, slot: Handle) {
    this.#cryptoki = cryptoki;
    this.slot = slot;
    this.#login = this.#open();
  }

  /** Tries each PIN only once, because the token counts wrong PINs. */
  login(pin: string): void {
    try {
      this.#cryptoki.C_Login(this.#login, CKU.user, pin);
    } catch (error) {
      if (codeOf(error) !== CKR.userAlreadyLoggedIn) throw error;
      // The user is still logged in through sessions that are being closed, so this PIN was not checked.
      this.#cryptoki.C_Logout(this.#login);
      this.#cryptoki.C_Login(this.#login, CKU.user, pin);
    }
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  facts(): SessionFacts {
    return { open: this.#idle.length + this.#inUse + 1, inUse: this.#inUse };
  }

  /** Throws the token's error if the token is no longer present. */
  check(): void {
    this.#noticing(() => this.#cryptoki.C_GetSessionInfo(this.#login));
  }

  async use<Result>(work: (session: Handle) => Result | Promise<Result>): Promise<Result> {
    const session = await this.#take();
    try {
      const result = await work(session);
      this.#giveBack(session);
      return result;
    } catch (error) {
      // An operation may still be active in this session, so it is closed instead of reused.
      this.#close(session);
      this.#release();
      if (!isSessionLost(error)) throw error;
      this.lose();
      throw new ModuleFailure(REASONS.sessionLost, 'The session was lost.', { cause: error });
    }
  }

  /** Logs out once no calls are in progress; new calls are rejected immediately. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#wakeAll();
    while (this.#inUse > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#isLost) return;
    try {
      this.#cryptoki.C_Logout(this.#login);
    } catch (error) {
      if (codeOf(error) !== CKR.userNotLoggedIn && !isSessionLost(error)) throw error;
    } finally {
      this.lose();
    }
  }

  /** Discards all sessions. Sessions in use are closed when they are returned. */
  lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#isEnded = true;
    this.objects.clear();
    for (const session of this.#idle.splice(0)) this.#close(session);
    this.#close(this.#login);
    this.#wakeAll();
  }

  async #take(): Promise<Handle> {
    for (;;) {
      if (this.#isEnded) throw new ModuleFailure(REASONS.notLoggedIn, 'No user is logged in.');
      const idle = this.#idle.pop();
      if (idle) {
        this.#inUse += 1;
        return idle;
      }
      try {
        const session = this.#noticing(() => this.#open());
        this.#inUse += 1;
        return session;
      } catch (error) {
        // The token allows no more sessions, so wait until one of ours is free.
        if (codeOf(error) !== CKR.sessionCount || this.#inUse === 0) throw error;
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    }
  }

  #giveBack(session: Handle): void {
    if (this.#isLost) this.#close(session);
    else this.#idle.push(session);
    this.#release();
  }

  #release(): void {
    this.#inUse -= 1;
    if (this.#isEnded) this.#wakeAll();
    else this.#waiting.shift()?.();
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #open(): Handle {
    return this.#cryptoki.C_OpenSession(this.slot, CKF.serialSession | CKF.readWriteSession);
  }

  #close(session: Handle): void {
    try {
      this.#cryptoki.C_CloseSession(session);
    } catch {
      // The session is already closed, as intended.
    }
  }

  #noticing<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (!isSessionLost(error)) throw error;
      this.lose();
      throw new ModuleFailure(REASONS.notLoggedIn, 'The session was lost.', { cause: error });
    }
  }
}
