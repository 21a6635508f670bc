import { createSealer, newSealingKey } from '../../../platform/crypto/sealing.ts';
import { describe, expect, it } from 'vitest';
import { createCursors, type Continuation } from './cursor.ts';

const sealer = createSealer([newSealingKey()]);
const cursors = createCursors({ sealer });
const continuation: Continuation = { after: ['web', null, 'x'], passed: 20, totalItems: 100, totalIsExact: true };
const cursor = cursors.write('a search', continuation);

const problemOf = (text: string, search = 'a search'): unknown => {
  try {
    return cursors.read(search, text);
  } catch (error) {
    return error;
  }
};

describe('a cursor', () => {
  it('records where its search continues', () => {
    expect(cursors.read('a search', cursor)).toEqual(continuation);
  });

  it('works on every node with the same key, even after a different key becomes current', () => {
    const [old, next] = [newSealingKey(), newSealingKey()];
    const before = createCursors({ sealer: createSealer([old]) }).write('a search', continuation);
    expect(createCursors({ sealer: createSealer([next, old]) }).read('a search', before)).toEqual(continuation);
  });

  it('is rejected for a different search', () => {
    expect(problemOf(cursor, 'another')).toMatchObject({
      message: expect.stringContaining('belongs to a different search;'),
    });
  });

  const forged = Buffer.from(cursor, 'base64url');
  forged[20] = (forged[20] ?? 0) ^ 1;
  it.each([
    ['altered', forged.toString('base64url')],
    ['cut off', cursor.slice(0, -4)],
    ['with more behind it', `${cursor}AAAA`],
    ['not of these letters', `${cursor}!`],
    ['short', 'AAAA'],
    ['of another platform', createCursors({ sealer: createSealer([newSealingKey()]) }).write('a search', continuation)],
  ])('is rejected if it is %s', (_, text) => {
    expect(problemOf(text)).toMatchObject({
      message: expect.stringContaining('must be a complete cursor issued by this platform;'),
    });
  });
});
