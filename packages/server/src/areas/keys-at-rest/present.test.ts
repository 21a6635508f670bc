import { describe, expect, it } from 'vitest';
import { presentKeysAtRest, type KeysAtRestFacts } from './present.ts';

const AT = new Date('2026-03-04T05:06:07.000Z');
const key = (key_id: string, facts: { is_current?: boolean; retired_at?: Date } = {}) => ({
  key_id,
  is_current: false,
  retired_at: null,
  ...facts,
});
const shown = (facts: Partial<KeysAtRestFacts>) =>
  presentKeysAtRest({ keys: [], running: [], rotation: undefined, file: '/data/sealing.key', inFile: [], ...facts });

describe('sealing keys are shown', () => {
  it('with their position in the file, starting at 1, which may differ from the order in which they were used', () => {
    const keys = [key('aaaaaaaa'), key('bbbbbbbb', { is_current: true })];
    expect(shown({ keys, inFile: ['bbbbbbbb', 'aaaaaaaa'] }).keys).toEqual([
      { keyId: 'aaaaaaaa', current: false, needed: true, position: 2 },
      { keyId: 'bbbbbbbb', current: true, needed: true, position: 1 },
    ]);
  });

  it.each([
    ['needed and in the file', key('aaaaaaaa'), ['aaaaaaaa'], { needed: true, position: 1 }],
    ['needed and missing in the file', key('aaaaaaaa'), [], { needed: true }],
    [
      'not needed and still in the file',
      key('aaaaaaaa', { retired_at: AT }),
      ['aaaaaaaa'],
      { needed: false, position: 1 },
    ],
    ['not needed and gone', key('aaaaaaaa', { retired_at: AT }), [], { needed: false }],
  ])('if one is %s', (_what, row, inFile, facts) => {
    expect(shown({ keys: [row], inFile }).keys).toEqual([{ keyId: 'aaaaaaaa', current: false, ...facts }]);
  });

  it('after the other keys if nothing has been encrypted with them yet', () => {
    expect(shown({ keys: [key('aaaaaaaa')], inFile: ['cccccccc', 'aaaaaaaa', 'bbbbbbbb'] }).keys).toEqual([
      { keyId: 'aaaaaaaa', current: false, needed: true, position: 2 },
      { keyId: 'cccccccc', current: false, needed: false, position: 1 },
      { keyId: 'bbbbbbbb', current: false, needed: false, position: 3 },
    ]);
  });
});

describe('a rotation is shown', () => {
  const rotation = { uuid: 'r', key_id: 'aaaaaaaa', total: 3, done: 2, started_at: AT, finished_at: null };
  it('without an end time while it is in progress', () => {
    const facts = { keyId: 'aaaaaaaa', total: 3, done: 2, startedAt: '2026-03-04T05:06:07.000Z' };
    expect(shown({ rotation }).rotation).toEqual(facts);
    expect(shown({ rotation: { ...rotation, finished_at: AT } }).rotation).toEqual({
      ...facts,
      finishedAt: '2026-03-04T05:06:07.000Z',
    });
    expect(shown({}).rotation).toBeUndefined();
  });
});

it('a running node is shown with the keys in its file', () => {
  const node = { node_id: 'n', current_key_id: 'aaaaaaaa', key_ids: ['aaaaaaaa', 'bbbbbbbb'], seen_at: AT };
  expect(shown({ running: [node] }).nodes).toEqual([
    { node: 'n', seenAt: '2026-03-04T05:06:07.000Z', currentKeyId: 'aaaaaaaa', keyIds: ['aaaaaaaa', 'bbbbbbbb'] },
  ]);
});
