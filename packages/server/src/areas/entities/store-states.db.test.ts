// One state for everything in a location: the most urgent.
import type { LocationState } from '@signetry/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { countStates, findStates } from './store-states.ts';
import type { HeldRow, HeldState, LocationRow } from './tables.ts';
import { AT } from './testing/entity-rows.ts';
import { createStoreFixture, type StoreFixture } from './testing/store-fixture.ts';

let test: StoreFixture;
beforeAll(async () => {
  test = await createStoreFixture();
});

type Held = Partial<HeldRow>;
const at = (minute: number): Date => new Date(AT.getTime() + minute * 60_000);

async function stateWith(held: readonly Held[], facts: Partial<LocationRow> = {}): Promise<string | undefined> {
  const location = await test.addLocation(facts);
  for (const each of held) await test.hold(location, each);
  return (await findStates(test.executor, [location.uuid])).get(location.uuid);
}

const one = (state: HeldState, facts: Held = {}): Held => ({ state, ...facts });

describe('the state of a location for multiple certificates', () => {
  const rows: readonly (readonly [what: string, state: LocationState, held: readonly Held[]])[] = [
    ['nothing', 'empty', []],
    ['one that is served', 'served', [one('served')]],
    ['two that are served', 'served', [one('served'), one('served')]],
    ['one that is served and one that is there', 'installed', [one('served'), one('installed')]],
    ['one that is served and one that was set aside', 'installed', [one('served'), one('replaced')]],
    ['one that waits', 'waiting', [one('installed'), one('waiting')]],
    ['one that is being pushed', 'waiting', [one('served'), one('pushing')]],
    ['one whose endpoint is being asked', 'waiting', [one('installed', { asked_until: at(5) })]],
    ['one that was not served and one that waits', 'notServed', [one('waiting'), one('not_served')]],
    ['one that failed and one that was not served', 'failed', [one('not_served'), one('failed')]],
    ['one that failed and a later one', 'failed', [one('failed'), one('served', { noted_at: at(1) })]],
  ];
  it.each(rows)('that holds %s is %s', async (_what, state, held) => {
    expect(await stateWith(held, { multiple_entries: true })).toBe(state);
  });
});

describe('a single-certificate location reports a failure', () => {
  it.each(['failed', 'not_served'] as const)('while it is empty and a certificate has the state %s', async (state) => {
    expect(await stateWith([{ state }])).toBe(state === 'failed' ? 'failed' : 'notServed');
  });

  it.each([
    ['until a later one is there', at(1), 'installed'],
    ['not where one is there since the same moment', at(0), 'installed'],
    ['also where one from before is there again', at(-1), 'failed'],
  ])('%s', async (_when, noted_at, state) => {
    expect(await stateWith([{ state: 'failed' }, { state: 'installed', noted_at }])).toBe(state);
  });

  it('while a later certificate is still being deployed', async () => {
    expect(await stateWith([{ state: 'failed' }, { state: 'waiting', noted_at: at(1) }])).toBe('failed');
    expect(await stateWith([{ state: 'not_served' }, { state: 'replaced', noted_at: at(1) }])).toBe('notServed');
  });

  it('and reports the latest one if there were multiple failures', async () => {
    const between = { state: 'served', noted_at: at(1) } as const;
    expect(await stateWith([{ state: 'failed' }, between, { state: 'not_served', noted_at: at(2) }])).toBe('notServed');
    expect(await stateWith([{ state: 'not_served' }, between])).toBe('served');
  });
});

describe('a location that cannot be read', () => {
  it.each([
    ['unreadable', 'nothing is on its way', []],
    ['unreadable', 'one waits', [{ state: 'waiting' }]],
    ['notServed', 'one was not served', [{ state: 'not_served' }]],
    ['failed', 'one failed', [{ state: 'failed' }]],
  ] as const)('has the state %s if %s', async (state, _what, held) => {
    expect(await stateWith(held, { problem: 'locked' })).toBe(state);
  });
});

describe('locations are counted by state', () => {
  it('if the caller can list both the locations and their entity', async () => {
    const [first, second, failed] = [await test.addLocation(), await test.addLocation(), await test.addLocation()];
    await test.hold(failed, { state: 'failed' });
    const uuids = new Set([first, second, failed].map(({ uuid }) => uuid));
    const only = (shown: ReadonlySet<string>) => ({ kind: 'only', uuids: shown }) as const;
    const count = (shown: ReadonlySet<string>, entities: readonly string[]) =>
      countStates(test.executor, { shown: only(shown), entitiesShown: only(new Set(entities)) });
    expect((await count(uuids, [test.entity.uuid])).toSorted((a, b) => a.locations - b.locations)).toEqual([
      { state: 'failed', locations: 1 },
      { state: 'empty', locations: 2 },
    ]);
    expect(await count(new Set([failed.uuid]), [test.entity.uuid])).toEqual([{ state: 'failed', locations: 1 }]);
    expect(await count(uuids, [])).toEqual([]);
  });
});
