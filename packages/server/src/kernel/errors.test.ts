import { describe, expect, it } from 'vitest';
import { AppError, judgedTogether, rejected } from './errors.ts';

describe('what several judges accept', () => {
  it('is answered in their order', async () => {
    expect(await judgedTogether(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
  });

  it('is refused with the complaints of all of them', async () => {
    const refused = judgedTogether(
      Promise.reject(rejected('a', 'b')),
      Promise.resolve(1),
      Promise.reject(rejected('c')),
    );
    await expect(refused).rejects.toMatchObject({ parameters: { problems: ['a', 'b', 'c'] } });
  });

  it('fails for another reason first', async () => {
    const away = new AppError('unavailable', { reason: 'the database is away' });
    await expect(judgedTogether(Promise.reject(rejected('a')), Promise.reject(away))).rejects.toBe(away);
  });
});
