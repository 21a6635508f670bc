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
  it('says where its search goes on', () => {
    expect(cursors.read('a search', cursor)).toEqual(continuation);
  });

  it('is one of every node with the same key, also after another key was chosen', () => {
    const [old, next] = [newSealingKey(), newSealingKey()];
    const before = createCursors({ sealer: createSealer([old]) }).write('a search', continuation);
    expect(createCursors({ sealer: createSealer([next, old]) }).read('a search', before)).toEqual(continuation);
  });

  it('is refused for another search', () => {
    expect(problemOf(cursor, 'another')).toMatchObject({
      message: expect.stringContaining('continues another search'),
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
  ])('is refused when it is %s', (_, text) => {
    expect(problemOf(text)).toMatchObject({ message: expect.stringContaining('was not given out by this platform') });
  });
});
