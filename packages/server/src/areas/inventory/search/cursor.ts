// Where the next page of a search begins, as an opaque text for clients: the place of the last certificate of a page,
// and what was counted when the walk began. It is of one search of one user, and authenticated, so that nothing in it
// has to be judged again.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import type { SortPosition } from './sort-fields.ts';

const MAC_BYTES = 16;

export interface Continuation {
  readonly after: SortPosition;
  /** Certificates of the pages before. */
  readonly passed: number;
  readonly totalItems: number;
  readonly totalIsExact: boolean;
}

export interface Cursors {
  /** `search` is the same for the same search of the same user. */
  write(search: string, continuation: Continuation): string;
  /** Refuses what was not written for this search. */
  read(search: string, cursor: string): Continuation;
}

export function createCursors({ sealer }: { readonly sealer: Pick<Sealer, 'derive'> }): Cursors {
  const macOf = (text: string, key: Uint8Array): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES);

  return {
    write(search, continuation) {
      const [key] = sealer.derive('cursors');
      if (!key) throw new Error('A sealer derives at least one key.');
      const text = JSON.stringify({ search: digestOf(search), ...continuation });
      return Buffer.concat([macOf(text, key), Buffer.from(text)]).toString('base64url');
    },

    read(search, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const [mac, text] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES).toString()];
      const isOurs = mac.length === MAC_BYTES && bytes.toString('base64url') === cursor;
      if (!isOurs || !sealer.derive('cursors').some((key) => timingSafeEqual(macOf(text, key), mac)))
        throw refused('was not given out by this platform, or is incomplete; begin again without it');
      const { search: of, ...continuation } = JSON.parse(text) as Continuation & { search: string }; // authentic
      if (of !== digestOf(search))
        throw refused('continues another search; filters, text, sort, archive and user have to be the same as before');
      return continuation;
    },
  };
}

const digestOf = (search: string): string => createHash('sha256').update(search).digest('base64url');

export const refused = (why: string): AppError => new AppError('invalid_fields', { problems: [`cursor: ${why}`] });
