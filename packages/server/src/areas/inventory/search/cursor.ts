// Cursor for the next page of a search, opaque to clients. It contains the position of the last certificate on a page,
// and the total when paging started. It is authenticated and bound to a single search by a single user, so its contents
// need no further validation.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';
import type { SortPosition } from './sort-fields.ts';

const MAC_BYTES = 16;

export interface Continuation {
  readonly after: SortPosition;
  /** Number of certificates on previous pages. */
  readonly passed: number;
  readonly totalItems: number;
  readonly totalIsExact: boolean;
}

export interface Cursors {
  /** Creates a cursor; `search` identifies the search and the user. */
  write(search: string, continuation: Continuation): string;
  /** Rejects cursors that were not created for this search. */
  read(search: string, cursor: string): Continuation;
}

export function createCursors({ sealer }: { readonly sealer: Pick<Sealer, 'derive'> }): Cursors {
  const macOf = (text: string, key: Uint8Array): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES);

  return {
    write(search, continuation) {
      const [key] = sealer.derive('cursors');
      if (!key) throw new Error('The sealer did not derive a key.');
      const text = JSON.stringify({ search: digestOf(search), ...continuation });
      return Buffer.concat([macOf(text, key), Buffer.from(text)]).toString('base64url');
    },

    read(search, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const [mac, text] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES).toString()];
      const isOurs = mac.length === MAC_BYTES && bytes.toString('base64url') === cursor;
      if (!isOurs || !sealer.derive('cursors').some((key) => timingSafeEqual(macOf(text, key), mac)))
        throw cursorRejection('must be a complete cursor issued by this platform; start again without it');
      const { search: of, ...continuation } = JSON.parse(text) as Continuation & { search: string }; // authenticated
      if (of !== digestOf(search))
        throw cursorRejection(
          'belongs to a different search; filters, text, sort order, archive option and user must be the same as before',
        );
      return continuation;
    },
  };
}

const digestOf = (search: string): string => createHash('sha256').update(search).digest('base64url');

export const cursorRejection = (why: string): AppError =>
  new AppError('invalid_fields', { problems: [`cursor: ${why}`] });
