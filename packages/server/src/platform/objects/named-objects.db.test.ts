import { testDatabase } from '@signetry/testkit/database';
import { beforeAll, describe, expect, it } from 'vitest';
import { newUuid } from '../../kernel/ids.ts';
import type { Database } from '../database/database.ts';
import { namedObjects } from './named-objects.ts';
import { rejectTakenName } from './unique-names.ts';

interface LampRow {
  readonly uuid: string;
  readonly name: string;
  readonly watts: number;
  readonly room_uuid: string | null;
}

const lamps = namedObjects<LampRow>({ what: 'Lamp', table: 'lamp' });
const lamp = (name: string, more: Partial<LampRow> = {}): LampRow => ({
  uuid: newUuid(),
  name,
  watts: 5,
  room_uuid: null,
  ...more,
});

describe('queries for named objects', () => {
  let database: Database;

  beforeAll(async () => {
    database = await testDatabase();
    await database.query(
      'CREATE TABLE lamp (uuid uuid PRIMARY KEY, name text NOT NULL UNIQUE, watts int NOT NULL, room_uuid uuid)',
    );
  });

  it('find inserted objects individually, by name, and all of them in order', async () => {
    const { executor } = database;
    const [second] = await lamps.insert(executor, lamp('second'));
    const [first] = await lamps.insert(executor, lamp('first'));
    expect(await lamps.findAll(executor)).toEqual([first, second]);
    expect(await lamps.findMany(executor, [second.uuid, newUuid(), first.uuid])).toEqual([first, second]);
    expect(await lamps.findMany(executor, [])).toEqual([]);
    expect(await lamps.findOne(executor, first.uuid)).toEqual(first);
    expect(await lamps.findByName(executor, 'second')).toEqual(second);
    expect(await lamps.findByName(executor, 'third')).toBeUndefined();
  });

  it('report the kind of object if a required or locked object does not exist', async () => {
    const refusal = { code: 'object_not_found', message: expect.stringContaining('Lamp') };
    await expect(lamps.require(database.executor, newUuid())).rejects.toMatchObject(refusal);
    await expect(database.transaction((tx) => lamps.lock(tx, newUuid()))).rejects.toMatchObject(refusal);
  });

  it('update and delete existing objects, and return them', async () => {
    const { executor } = database;
    const [one] = await lamps.insert(executor, lamp('one'));
    const [two] = await lamps.insert(executor, lamp('two'));
    expect(await lamps.update(executor, one.uuid, { watts: 7 })).toEqual({ ...one, watts: 7 });
    expect(await lamps.update(executor, newUuid(), { watts: 7 })).toBeUndefined();
    const changed = await database.transaction((tx) => lamps.updateMany(tx, [two.uuid, newUuid()], { watts: 9 }));
    expect(changed).toEqual([{ ...two, watts: 9 }]);
    expect(await lamps.updateMany(executor, [], { watts: 1 })).toEqual([]);
    expect(await lamps.removeMany(executor, [one.uuid, newUuid()])).toMatchObject([{ name: 'one' }]);
    expect(await lamps.removeMany(executor, [])).toEqual([]);
    expect(await lamps.findOne(executor, one.uuid)).toBeUndefined();
  });

  it('list the objects that refer to an object, and clear their references', async () => {
    const { executor } = database;
    const room = newUuid();
    const inRoom = lamps.referringBy('room_uuid');
    await lamps.insert(executor, lamp('ceiling', { room_uuid: room }));
    await lamps.insert(executor, lamp('bedside', { room_uuid: room }));
    expect(await inRoom.names(executor, room)).toEqual(['bedside', 'ceiling']);
    await inRoom.detach(executor, room);
    expect(await inRoom.names(executor, room)).toEqual([]);
    expect((await lamps.findByName(executor, 'ceiling'))?.room_uuid).toBeNull();
  });

  it('lock rows in a fixed order, so that two calls with different orders both complete', async () => {
    const { executor } = database;
    const [a] = await lamps.insert(executor, lamp('lock a'));
    const [b] = await lamps.insert(executor, lamp('lock b'));
    const change = (uuids: string[]) => database.transaction((tx) => lamps.updateMany(tx, uuids, { watts: 3 }));
    const calls = Array.from({ length: 20 }, (_, index) => change(index % 2 ? [a.uuid, b.uuid] : [b.uuid, a.uuid]));
    expect((await Promise.all(calls)).every((rows) => rows.length === 2)).toBe(true);
  });

  it('reject a name that is already in use, and rethrow all other errors', async () => {
    const { executor } = database;
    await lamps.insert(executor, lamp('taken'));
    await lamps.insertMissing(executor, lamp('taken', { watts: 100 }));
    expect((await lamps.findByName(executor, 'taken'))?.watts).toBe(5);
    await expect(rejectTakenName(lamps, 'taken', () => lamps.insert(executor, lamp('taken')))).rejects.toMatchObject({
      code: 'already_exists',
      parameters: { what: 'Lamp', name: 'taken' },
    });
    const twice = lamp('same key');
    await lamps.insert(executor, twice);
    const again = rejectTakenName(lamps, 'other', () => lamps.insert(executor, { ...twice, name: 'other' }));
    await expect(again).rejects.toMatchObject({ code: '23505' });
  });
});
