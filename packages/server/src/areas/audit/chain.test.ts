import { describe, expect, it } from 'vitest';
import { GENESIS, purgeMac, runsOf, sealValue } from './chain.ts';

const key = new Uint8Array(32).fill(1);
const seal = {
  node_id: '00000000-0000-7000-8000-000000000001',
  seal_number: 1,
  first_sequence: 1,
  audit_ids: [1, 2],
  row_hashes: new Uint8Array(64).fill(7),
  previous_value: GENESIS,
  sealed_at: new Date('2026-11-20T12:00:00Z'),
};
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe("a seal's value", () => {
  it('depends on every field in the seal, and on the key', () => {
    const variants = [
      seal,
      { ...seal, node_id: '00000000-0000-7000-8000-000000000002' },
      { ...seal, seal_number: 2 },
      { ...seal, first_sequence: 2 },
      { ...seal, audit_ids: [2, 1] },
      { ...seal, audit_ids: [1] },
      { ...seal, row_hashes: new Uint8Array(64).fill(8) },
      { ...seal, previous_value: new Uint8Array(32).fill(9) },
      { ...seal, sealed_at: new Date('2026-11-20T12:00:01Z') },
    ].map((variant) => hex(sealValue(key, variant)));
    expect(new Set([...variants, hex(sealValue(new Uint8Array(32), seal))]).size).toBe(10);
  });
});

describe("a purge marker's MAC", () => {
  it('depends on the ranges, the actor and the time', () => {
    const marker = {
      uuid: 'u',
      part: 0,
      purged_at: new Date(0),
      actor_name: 'a',
      first_ids: [1],
      last_ids: [2],
      record_count: 2,
    };
    const variants = [
      marker,
      { ...marker, last_ids: [3] },
      { ...marker, first_ids: [0] },
      { ...marker, actor_name: 'b' },
      { ...marker, part: 1 },
      { ...marker, purged_at: new Date(1) },
    ].map((variant) => hex(purgeMac(key, variant)));
    expect(new Set(variants).size).toBe(6);
  });

  it('covers ranges of consecutive IDs', () => {
    expect(runsOf([1, 2, 3, 5, 7, 8])).toEqual({ first_ids: [1, 5, 7], last_ids: [3, 5, 8] });
    expect(runsOf([])).toEqual({ first_ids: [], last_ids: [] });
  });
});
