import { describe, expect, it } from 'vitest';
import {
  toStoredConditions,
  MAX_PARTS,
  readContent,
  readObjects,
  triggerProblems,
  countProblems,
} from './definition-rules.ts';

const uuid = '0192f0c1-7d2a-7000-8000-00000000000a';
const other = '0192f0c1-7d2a-7000-8000-00000000000b';

describe('objects that a property is set to', () => {
  it.each([
    ['an identifier', uuid, [uuid]],
    ['one in capitals, twice', [uuid.toUpperCase(), uuid], [uuid]],
    ['objects', [{ uuid, name: 'a' }, { uuid: other }], [uuid, other]],
    ['the older form', { uuid }, [uuid]],
    ['nothing', null, []],
    ['an empty text', '', []],
    ['an empty list', [], []],
  ])('are read from %s', (_what, data, objects) => {
    expect(readObjects(data)).toEqual(objects);
  });

  it.each([['a name'], [7], [[uuid, 'a name']], [{ name: 'a' }], [{ uuid: { uuid } }], [[[uuid]]], [[null]]])(
    'are not read from %j',
    (data) => {
      expect(readObjects(data)).toBeUndefined();
    },
  );
});

describe('values that a custom attribute is set to', () => {
  it('are read from items and from bare values, ignoring unknown members', () => {
    expect(readContent([{ data: 1, reference: 'one', colour: 'red' }, 2])).toEqual([
      { data: 1, reference: 'one' },
      { data: 2 },
    ]);
    expect(readContent('x')).toEqual([{ data: 'x' }]);
    expect(readContent(false)).toEqual([{ data: false }]);
    expect(readContent(null)).toEqual([]);
    expect(readContent({ data: 1, reference: 'a\u0000' })).toEqual([{ data: 1 }]);
  });
});

describe('conditions', () => {
  it('with an operator that has no operand do not store a value', () => {
    const item = { fieldSource: 'property', fieldIdentifier: 'OWNER', value: 'x' } as const;
    const [empty, equal] = toStoredConditions([
      { ...item, operator: 'EMPTY' },
      { ...item, operator: 'EQUALS' },
    ]);
    expect(empty).not.toHaveProperty('value');
    expect(equal).toHaveProperty('value', 'x');
  });
});

describe('a trigger', () => {
  const sound = { type: 'event', resource: 'jobs', event: 'scheduled_job_finished', ignoreTrigger: false } as const;

  it('is valid with both an action and an event of its resource, or with neither if it is an ignore trigger', () => {
    expect(triggerProblems({ ...sound, actionsUuids: [uuid] })).toEqual([]);
    expect(triggerProblems({ resource: 'jobs', ignoreTrigger: true })).toEqual([]);
  });

  it('is rejected with all of its problems', () => {
    const problems = triggerProblems({ ...sound, resource: 'certificates', actionsUuids: [] });
    expect(problems).toEqual([expect.stringMatching(/^event: /), expect.stringMatching(/^actionsUuids: /)]);
    expect(
      triggerProblems({ type: 'event', resource: 'jobs', ignoreTrigger: true, actionsUuids: [uuid] }),
    ).toHaveLength(2);
  });
});

it('the number of parts in a definition is limited', () => {
  expect(countProblems([], 'items')).toEqual(['items: specify at least one']);
  expect(countProblems(Array(MAX_PARTS), 'items')).toEqual([]);
  expect(countProblems(Array(MAX_PARTS + 1), 'items')).toEqual([`items: at most ${MAX_PARTS} are allowed`]);
});
