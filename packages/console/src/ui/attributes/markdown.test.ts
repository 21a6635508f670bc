import { describe, expect, it } from 'vitest';
import { blocksOf, spansOf } from './markdown.ts';

describe('form text', () => {
  it('supports headings, paragraphs, lists and code', () => {
    const text = '# Title\nFirst line\nsecond line\n\n- one\n- two\n1. first\n\n```sh\n- not a list\n```\nEnd';
    expect(blocksOf(text)).toEqual([
      { kind: 'heading', text: 'Title' },
      { kind: 'paragraph', text: 'First line second line' },
      { kind: 'list', isOrdered: false, items: ['one', 'two'] },
      { kind: 'list', isOrdered: true, items: ['first'] },
      { kind: 'code', text: '- not a list' },
      { kind: 'paragraph', text: 'End' },
    ]);
  });

  it('supports bold, emphasis, code and https links', () => {
    expect(spansOf('a **b** *c* `d` [e](https://example.com/x)')).toEqual([
      { kind: 'plain', text: 'a ' },
      { kind: 'strong', text: 'b' },
      { kind: 'plain', text: ' ' },
      { kind: 'emphasis', text: 'c' },
      { kind: 'plain', text: ' ' },
      { kind: 'code', text: 'd' },
      { kind: 'plain', text: ' ' },
      { kind: 'link', text: 'e', address: 'https://example.com/x' },
    ]);
  });

  it.each(['<script>alert(1)</script>', '[a](javascript:alert(1))', '[a](http://example.com)', '![a](data:x)', '2 * 3 * 4'])(
    'shows everything else literally: %s',
    (text) => {
      const spans = spansOf(text);
      expect(spans.every(({ kind }) => kind === 'plain')).toBe(true);
      expect(spans.map((span) => span.text).join('')).toBe(text);
    },
  ); // prettier-ignore

  it('is parsed quickly, even if it is hostile', () => {
    const started = performance.now();
    for (const hostile of ['*', '**', '`', '[', '[](', '# ', '- ', '\n\n', '```\n'])
      for (const block of blocksOf(hostile.repeat(20_000))) if ('text' in block) spansOf(block.text);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
