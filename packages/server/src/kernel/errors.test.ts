import { describe, expect, it } from 'vitest';
import { AppError, evaluateTogether, rejected } from './errors.ts';

describe('the combined result of multiple checks', () => {
  it('is returned in the order of the checks', async () => {
    expect(await evaluateTogether(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
  });

  it('is a rejection that contains the problems from all checks', async () => {
    const refused = evaluateTogether(
      Promise.reject(rejected('a', 'b')),
      Promise.resolve(1),
      Promise.reject(rejected('c')),
    );
    await expect(refused).rejects.toMatchObject({ parameters: { problems: ['a', 'b', 'c'] } });
  });

  it('is the original error if a check fails for any other reason', async () => {
    const away = new AppError('unavailable', { reason: 'the database is away' });
    await expect(evaluateTogether(Promise.reject(rejected('a')), Promise.reject(away))).rejects.toBe(away);
  });
});
