import { describe, expect, it } from 'vitest';
import { ask, type ReceivedRequest, type Replies } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const state = (facts: object) => ({
  uuid,
  kind: 'archive',
  total: 3,
  changed: 0,
  refused: 0,
  requestedBy: 'ann',
  startedAt: '2026-11-20T10:00:00.000Z',
  stoppable: false,
  refusals: [],
  ...facts,
});
const ended = { changed: 3, finishedAt: '2026-11-20T10:00:02.000Z' };
const counting = {
  'POST /x/v1/certificates/search': {
    body: { certificates: [], itemsPerPage: 1, pageNumber: 1, totalPages: 3, totalItems: 3 },
  },
} satisfies Replies;
const named = (name: string) => ({
  fieldSource: 'property',
  fieldIdentifier: 'COMMON_NAME',
  condition: 'CONTAINS',
  value: name,
});
const bodyOf = (asked: readonly ReceivedRequest[], path: string) => asked.find((one) => one.path.endsWith(path))?.body;

describe('certificates archive', () => {
  it('counts the affected certificates, but changes nothing without --yes', async () => {
    const { code, err, asked } = await ask(counting, ['certificates', 'archive', '--filter', 'old']);
    expect(code).toBe(2);
    expect(err).toContain('3 certificates would be archived; nothing was changed.');
    expect(asked.map(({ path }) => path)).toEqual(['/api/x/v1/certificates/search']);
  });

  it('requires a condition, and sends no request if there is none', async () => {
    const { code, err, asked } = await ask({}, ['certificates', 'archive', '--yes']);
    expect(code).toBe(2);
    expect(err).toContain('No certificates selected.');
    expect(asked).toEqual([]);
  });

  it('waits for the change to finish, and prints the result', async () => {
    let looked = 0;
    const replies: Replies = {
      'POST /x/v1/certificates/changes/archive': { body: state({ changed: 1 }) },
      [`GET /x/v1/certificates/changes/${uuid}`]: () => {
        looked += 1;
        return { body: state(looked < 2 ? { changed: 2 } : ended) };
      },
    };
    const { code, out, asked } = await ask(replies, ['certificates', 'archive', '--filter', 'old', '--yes']);
    expect([code, out, looked]).toEqual([0, '3 certificates archived.', 2]);
    expect(bodyOf(asked, '/changes/archive')).toEqual({ selection: { filters: [named('old')] } });
  });

  it('lists the certificates that were rejected, and fails', async () => {
    const refusals = [{ uuid, name: 'old.example', message: 'It is already archived.' }];
    const replies: Replies = {
      'POST /x/v1/certificates/changes/archive': { body: state({ ...ended, changed: 1, refused: 2, refusals }) },
    };
    const { code, out, err } = await ask(replies, ['certificates', 'archive', '--filter', 'old', '--yes']);
    expect([code, out]).toEqual([1, '1 certificate archived, 2 rejected.']);
    expect(err).toContain('old.example: It is already archived.');
    expect(err).toContain('And 1 more');
  });

  it('is undone by unarchive, which selects archived certificates only', async () => {
    const replies: Replies = { 'POST /x/v1/certificates/changes/unarchive': { body: state(ended) } };
    const { code, asked } = await ask(replies, ['certificates', 'unarchive', '--filter', 'old', '--yes']);
    expect(code).toBe(0);
    expect(bodyOf(asked, '/changes/unarchive')).toEqual({
      selection: {
        includeArchived: true,
        filters: [
          { fieldSource: 'property', fieldIdentifier: 'ARCHIVED', condition: 'EQUALS', value: true },
          named('old'),
        ],
      },
    });
  });
});

describe('certificates assign', () => {
  const person = { uuid: '0197b1f4-0000-7cc2-9d4e-00000000000a', username: 'ann', enabled: true, systemUser: false };
  const group = { uuid: '0197b1f4-0000-7cc2-9d4e-00000000000b', name: 'web' };
  const replies: Replies = {
    'GET /v1/users': { body: [person] },
    'GET /v1/groups': { body: [group] },
    'POST /x/v1/certificates/changes/update': { body: state({ ...ended, kind: 'update' }) },
  };
  const assign = (...args: string[]) => ask(replies, ['certificates', 'assign', '--filter', 'shop', '--yes', ...args]);

  it('finds the owner and groups by name, or removes them', async () => {
    const first = await assign('--owner', 'ann', '--group', 'web');
    expect([first.code, first.out]).toEqual([0, '3 certificates changed.']);
    const selection = { filters: [named('shop')] };
    expect(bodyOf(first.asked, '/changes/update')).toEqual({
      selection,
      ownerUuid: person.uuid,
      groupUuids: [group.uuid],
    });
    const second = await assign('--no-owner', '--no-groups', '--no-ra-profile');
    expect(bodyOf(second.asked, '/changes/update')).toEqual({
      selection,
      ownerUuid: '',
      groupUuids: [],
      raProfileUuid: '',
    });
  });

  it('rejects unknown names, an empty change, and contradictory flags', async () => {
    expect((await assign('--group', 'ops')).err).toContain('Cannot find group "ops"');
    expect((await assign()).err).toContain('Nothing to assign.');
    expect((await assign('--owner', 'ann', '--no-owner')).err).toContain('are mutually exclusive');
  });
});
