import { createFakeClock, type FakeClock } from '@signetry/testkit/services';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealer, newSealingKey } from '../../../platform/crypto/sealing.ts';
import { createNonces, firstNonceOf, NONCE_LIFE_MS, NONCE_MEMORY_MS } from './nonces.ts';

const MINUTE_MS = 60_000;
const OURS = /The nonce was not issued by this server\./;
const EXPIRED = /has expired/;

/** Creates a node with these sealing keys. */
const node = (keys: readonly Uint8Array[], clock: FakeClock = createFakeClock()) =>
  createNonces({ sealer: createSealer(keys), clock });

const key = newSealingKey();
const accepted = { uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string };
const rejection = (problem: RegExp) => ({ problem: expect.stringMatching(problem) as string });

describe('a nonce', () => {
  it('is accepted by every node with the same sealing key, even after a restart', () => {
    const nonce = node([key]).create();
    const verdicts = [node([key]), node([key])].map((other) => other.read(nonce));
    expect(verdicts).toEqual([accepted, accepted]);
    expect(verdicts[0]).toEqual(verdicts[1]);
  });

  it('has a unique identifier', () => {
    const nonces = node([key]);
    const identifiers = Array.from({ length: 1000 }, () => JSON.stringify(nonces.read(nonces.create())));
    expect(new Set(identifiers).size).toBe(1000);
  });

  it('is rejected if any bit is changed', () => {
    const nonces = node([key]);
    const good = Buffer.from(nonces.create(), 'base64url');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: good.length * 8 - 1 }), (bit) => {
        const bytes = Buffer.from(good);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        expect(nonces.read(bytes.toString('base64url'))).toEqual(rejection(OURS));
      }),
    );
  });

  it('is rejected if it was created with a different key', () => {
    expect(node([key]).read(node([newSealingKey()]).create())).toEqual(rejection(OURS));
  });

  it.each([
    ['nothing', () => ''],
    ['cut short', (nonce: string) => nonce.slice(0, -1)],
    ['an octet longer', (nonce: string) => `${nonce}AA`],
    ['padded', (nonce: string) => `${nonce}==`],
    ['with a line break', (nonce: string) => `${nonce}\n`],
    // The last character has four unused bits: a different text for the same bytes.
    ['in another spelling', (nonce: string) => nonce.slice(0, -1) + neighbor(nonce.at(-1))],
    ['no base64url', () => 'no nonce! äöü'],
    ['of zeros', () => Buffer.alloc(28).toString('base64url')],
    ['of a megabyte', () => 'A'.repeat(1 << 20)],
  ])('is rejected: %s', (_what, change) => {
    const nonces = node([key]);
    expect(nonces.read(change(nonces.create()))).toEqual(rejection(OURS));
  });

  it('can be used for one day, and not longer', () => {
    const clock = createFakeClock();
    const nonces = node([key], clock);
    const nonce = nonces.create();
    clock.advance(NONCE_LIFE_MS - MINUTE_MS);
    expect(nonces.read(nonce)).toEqual(accepted);
    clock.advance(2 * MINUTE_MS);
    expect(nonces.read(nonce)).toEqual(rejection(EXPIRED));
  });

  it('is accepted despite a clock skew of several minutes, but rejected if it comes from further in the future', () => {
    const nonce = node([key]).create();
    const readBy = (differenceMs: number) => {
      const clock = createFakeClock();
      clock.advance(differenceMs);
      return node([key], clock).read(nonce);
    };
    expect([readBy(-9 * MINUTE_MS), readBy(9 * MINUTE_MS)]).toEqual([accepted, accepted]);
    expect(readBy(-11 * MINUTE_MS)).toEqual(rejection(EXPIRED));
  });
});

describe('nonces during a sealing key rotation', () => {
  const next = newSealingKey();
  /** Each node is at one of these steps of the rotation. */
  const steps = [[key], [key, next], [next, key]];

  it.each([
    [0, 1],
    [1, 0],
    [1, 2],
    [2, 1],
  ])('are accepted between nodes at steps %i and %i', (maker, reader) => {
    expect(node(steps[reader] ?? []).read(node(steps[maker] ?? []).create())).toEqual(accepted);
  });

  it('are rejected once their key is removed', () => {
    const nonce = node([next, key]).create();
    expect(node([next]).read(nonce)).toEqual(accepted);
    expect(node([key]).read(nonce)).toEqual(rejection(OURS));
  });
});

describe('the record of used nonces', () => {
  const identifierOf = (verdict: ReturnType<ReturnType<typeof node>['read']>): string =>
    'uuid' in verdict ? verdict.uuid : expect.unreachable(verdict.problem);

  it('is partitioned by time', () => {
    const before = new Date(Date.now() - 1);
    const nonces = node([key]);
    const uuid = identifierOf(nonces.read(nonces.create()));
    const after = new Date(Date.now() + 1);
    expect(firstNonceOf(before) <= uuid).toBe(true);
    expect(uuid < firstNonceOf(after)).toBe(true);
  });

  it('is kept longer than nonces are valid, for all clocks within the tolerance', () => {
    const nonce = node([key]).create();
    const uuid = identifierOf(node([key]).read(nonce));
    const minutes = fc.integer({ min: -10, max: 10 });
    fc.assert(
      fc.property(fc.integer({ min: 23 * 60, max: 25 * 60 }), minutes, minutes, (age, reader, cleaner) => {
        const at = (difference: number) => new Date(Date.now() + (age + difference) * MINUTE_MS);
        const isUsable = 'uuid' in node([key], createFakeClock(at(reader))).read(nonce);
        const isForgotten = uuid < firstNonceOf(new Date(at(cleaner).getTime() - NONCE_MEMORY_MS));
        expect(isUsable && isForgotten).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const neighbor = (character = ''): string => ALPHABET[ALPHABET.indexOf(character) ^ 1] ?? '';
