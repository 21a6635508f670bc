// Protects activation codes. Attempts are counted in the database, which all nodes share. After several incorrect
// codes, the token is locked for a period that doubles each time. While the token is locked, the correct code is also
// rejected, so that guessing reveals nothing.
import { notFound, rejected, unavailable, type ConnectorContext } from '@signetry/connector-sdk';
import { isUuid } from '../problems.ts';
import type { SlowLane } from '../turns.ts';
import { openWithCode } from './activation-code.ts';
import type { TokenRow, TokenStore } from './token-store.ts';

/** Number of incorrect codes allowed before the first lock. */
const FREE_ATTEMPTS = 5;
const FIRST_LOCK_MS = 30_000;
const LONGEST_LOCK_MS = 3_600_000;
/** Maximum number of queued attempts per token in this process. */
const MAX_WAITING = 8;

/** Returns how long a token is locked after this number of incorrect codes. */
export function lockMs(wrongCodes: number): number {
  if (wrongCodes < FREE_ATTEMPTS) return 0;
  return Math.min(LONGEST_LOCK_MS, FIRST_LOCK_MS * 2 ** (wrongCodes - FREE_ATTEMPTS));
}

/**
 * Returns the time at which a current lock ends. If a lock was set by a clock that was ahead, its end is limited to the
 * maximum lock time from now.
 */
export function lockedUntil({ locked_until }: Pick<TokenRow, 'locked_until'>, now: Date): Date | undefined {
  if (!locked_until || locked_until <= now) return undefined;
  return new Date(Math.min(locked_until.getTime(), now.getTime() + LONGEST_LOCK_MS));
}

export interface CorrectCode {
  readonly row: TokenRow;
  /** The caller overwrites the data key after use. */
  readonly dataKey: Buffer;
  /** The code that turned out to be correct. */
  readonly code: string;
}

export interface CodeAttempts {
  /**
   * Tries the codes in order, counted as a single attempt. Rejects incorrect codes (422), and all codes while the token
   * is locked.
   */
  open(uuid: string, codes: readonly string[]): Promise<CorrectCode>;
}

type Facts = Pick<ConnectorContext, 'seal' | 'open' | 'clock'> & {
  readonly store: TokenStore;
  readonly slowLane: SlowLane;
};

export function createCodeAttempts({ store, slowLane, clock, ...sealing }: Facts): CodeAttempts {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();

  async function attempt(uuid: string, codes: readonly string[]): Promise<CorrectCode> {
    const row = await store.countAttempt(uuid, (present) => {
      const now = clock.now();
      rejectLocked(present, now);
      const wrongCodes = present.wrong_codes + 1;
      const lasts = lockMs(wrongCodes);
      return { wrongCodes, lockedUntil: lasts > 0 ? new Date(now.getTime() + lasts) : null };
    });
    if (!row) throw notFound('Token', uuid);
    for (const code of codes) {
      const dataKey = await slowLane(() => openWithCode(sealing, row, code));
      if (!dataKey) continue;
      await store.forgetWrongCodes(uuid);
      return { row, dataKey, code };
    }
    throw rejected(wrongCodeText(row.wrong_codes + 1));
  }

  return {
    /** Processes attempts one at a time, so that a burst of correct codes does not look like guessing. */
    async open(uuid, codes) {
      if (!isUuid(uuid)) throw notFound('Token', uuid);
      const queue = queues.get(uuid) ?? { last: Promise.resolve(), length: 0 };
      if (queue.length >= MAX_WAITING)
        throw unavailable('Too many activation codes for this token are being checked. Try again in a few seconds.');
      queue.length += 1;
      const own = queue.last.catch(() => undefined).then(() => attempt(uuid, codes));
      queue.last = own;
      queues.set(uuid, queue);
      try {
        return await own;
      } finally {
        queue.length -= 1;
        if (queue.length === 0) queues.delete(uuid);
      }
    },
  };
}

function rejectLocked(row: TokenRow, now: Date): void {
  const until = lockedUntil(row, now);
  if (until)
    throw rejected(
      `The token is locked until ${formatInstant(until)} because of ${row.wrong_codes} incorrect activation codes. No code is checked until then.`,
    );
}

function wrongCodeText(wrongCodes: number): string {
  const left = FREE_ATTEMPTS - wrongCodes;
  if (left <= 0)
    return `The activation code is incorrect. The token is locked for ${lockMs(wrongCodes) / 1000} seconds.`;
  return `The activation code is incorrect. After ${left} more incorrect ${left === 1 ? 'code' : 'codes'}, the token is temporarily locked.`;
}

/** Formats the time in whole seconds, rounded up so that a retry at this time is not too early. */
export const formatInstant = (time: Date): string =>
  new Date(Math.ceil(time.getTime() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
