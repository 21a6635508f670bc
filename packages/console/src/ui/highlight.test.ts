import { ProgrammingLanguageEnum } from '@signetry/contract';
import { describe, expect, it } from 'vitest';
import { tokensOf } from './highlight.ts';

const marked = (language: string, code: string) =>
  tokensOf(language, code)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`);

describe('source code', () => {
  it.each([
    ['yaml', 'host: "a" # note', ['name host', 'text "a"', 'comment # note']],
    ['json', '{"a": [1.5, true]}', ['name "a"', 'number 1.5', 'keyword true']],
    ['go', 'return x1 // end', ['keyword return', 'comment // end']],
    ['sql', "SELECT 'x' -- all", ['keyword SELECT', "text 'x'", 'comment -- all']],
    ['xml', '<a b="c"><!-- d --></a>', ['keyword <a', 'name b', 'text "c"', 'keyword >', 'comment <!-- d -->', 'keyword </a', 'keyword >']],
    ['ini', '[main]\nkey = 1', ['keyword [main]', 'name key', 'number 1']],
    ['java', 'classified', []],
  ] as const)('in %s is highlighted', (language, code, parts) => {
    expect(marked(language, code)).toEqual(parts);
  }); // prettier-ignore

  it('is shown completely in every language, even if it ends inside a string or comment', () => {
    const code = 'a "b /* c <!-- \'d `e\n# größe: 🙂 \\';
    for (const language of [...ProgrammingLanguageEnum.options, '', 'constructor'])
      expect(
        tokensOf(language, code)
          .map(({ text }) => text)
          .join(''),
      ).toBe(code);
  });

  it('is highlighted quickly, but not if it is very long', () => {
    const started = performance.now();
    for (const piece of ['"', "'\\", '/*', '<!--', '<', '[', '`', 'a', '0', '# ', 'a=', '_'])
      for (const language of ProgrammingLanguageEnum.options) tokensOf(language, piece.repeat(3_000));
    expect(performance.now() - started).toBeLessThan(4_000);
    expect(tokensOf('java', '/'.repeat(60_000))).toHaveLength(1);
  });
});
