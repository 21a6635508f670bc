import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { asAppError, renderRestError } from '../http/render-error.ts';
import { translateDatabaseError, DatabaseUnavailable, findOutage, sqlState, type Outage } from './database-errors.ts';

const failure = (message: string, facts: object = {}): Error => Object.assign(new Error(message), facts);

const outages: readonly (readonly [string, Error, Outage])[] = [
  ['a connection exception', failure('lost', { code: '08006' }), 'connectionLost'],
  ['a full disk', failure('could not extend file', { code: '53100' }), 'noSpace'],
  ['too many connections', failure('sorry, too many clients already', { code: '53300' }), 'overloaded'],
  ['a shutdown', failure('terminating connection', { code: '57P01' }), 'connectionLost'],
  ['a startup', failure('the database system is starting up', { code: '57P03' }), 'unreachable'],
  ['a statement that exceeded its time limit', failure('canceling statement', { code: '57014' }), 'tooSlow'],
  ['a read-only standby', failure('cannot execute INSERT', { code: '25006' }), 'readOnly'],
  ['a refused connection', failure('connect', { code: 'ECONNREFUSED', syscall: 'connect' }), 'unreachable'],
  ['a missing socket', failure('connect', { code: 'ENOENT', syscall: 'connect' }), 'unreachable'],
  ['a connection reset', failure('read', { code: 'ECONNRESET', syscall: 'read' }), 'connectionLost'],
  ['a terminated connection', failure('Connection terminated unexpectedly'), 'connectionLost'],
  ['an exhausted connection pool', failure('timeout exceeded when trying to connect'), 'overloaded'],
];

describe('a database error', () => {
  it.each(outages)('is an outage: %s', (_what, cause, outage) => {
    expect(translateDatabaseError(cause, 'working')).toMatchObject({ outage, cause });
  });

  it('that occurs before any statement was sent always has a known outcome', () => {
    const lost = failure('Connection terminated unexpectedly');
    expect(translateDatabaseError(lost, 'connecting')).toMatchObject({ outage: 'unreachable' });
  });

  it.each(['23505', '22P02', '42501', '40001'])(
    'that concerns the statement itself is returned unchanged: %s',
    (code) => {
      const error = failure('refused', { code });
      expect(translateDatabaseError(error, 'working')).toBe(error);
    },
  );

  it("keeps its SQLSTATE, and can be found as the cause of a use case's error", () => {
    const outage = translateDatabaseError(failure('canceling statement', { code: '57014' }), 'working');
    expect(sqlState(outage)).toBe('57014');
    expect(findOutage(new AppError('unavailable', { reason: 'x' }, { cause: outage }))).toBe(outage);
    expect(findOutage(new Error('something else'))).toBeUndefined();
  });

  it('is returned as status 503 with Retry-After and a message that the outcome is unknown', () => {
    const outage = new DatabaseUnavailable('connectionLost', failure('read', { code: 'ECONNRESET' }));
    const answer = renderRestError(asAppError(outage, { id: 'request', routeOptions: { bodyLimit: 1 } }), undefined);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.body).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('it is unknown whether a change was made') as string,
    });
  });
});
