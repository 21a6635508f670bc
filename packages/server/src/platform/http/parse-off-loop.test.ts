import { describe, expect, it } from 'vitest';
import { JSON_VALUE_LIMIT } from './json-body.ts';
import { createOffLoopParser } from './parse-off-loop.ts';

const parser = createOffLoopParser();
const parse = (text: string, values = JSON_VALUE_LIMIT) => parser({ bytes: Buffer.from(text), values });

describe('a large body', () => {
  it('is parsed without blocking the event loop', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const certificate = 'A\\u00e9'.repeat(2_000_000);
    const value = await parse(`{"certificate":"${certificate}","none":null}`);
    clearInterval(timer);
    expect(value).toEqual({ certificate: 'A\u00e9'.repeat(2_000_000) });
    expect(turns).toBeGreaterThan(10);
  });

  it('is rejected for the same reasons as any other body', async () => {
    await expect(parse('[1,2,3]', 3)).rejects.toMatchObject({ code: 'malformed_request' });
    await expect(parse('["\\u0000"]')).rejects.toThrow('U+0000');
    await expect(parse('{')).rejects.toThrow('not valid JSON');
  });

  it('waits for its turn, and is rejected if too many bodies are already waiting', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => parse(`[${index}]`)));
    const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(read).toEqual(Array.from({ length: 8 }, (_, index) => [index]));
    expect(answers.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    await expect(parse('[1]')).resolves.toEqual([1]);
  });
});
