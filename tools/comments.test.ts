import { describe, expect, it } from 'vitest';
import { problemsIn } from './comments.ts';

const words = (columns: number): string => 'word '.repeat(columns / 5).trimEnd();

describe('the comment check', () => {
  it.each([
    ['a line comment', `// ${words(120)}`],
    ['an indented line of a block', `   * ${words(120)}`],
    ['a block of one line', `/** ${words(120)} */`],
    ['a comment after code', `const a = ${'1 + '.repeat(25)}1; // ${words(20)}`],
  ])('rejects %s that is longer than 120 columns, and reports its line', (_what, line) => {
    expect(problemsIn('a.ts', `const first = 1;\n${line}`)).toEqual([
      `a.ts:2: comment of ${line.length} columns; wrap it at 120, or move it above the line`,
    ]);
  });

  it.each([
    ['a line comment of 120 columns', `// ${words(115)}ab`],
    ['long code', `const a = ${'1 + '.repeat(40)}1;`],
    ['a URL, which cannot be wrapped', `// https://example.com/${'a'.repeat(120)}`],
    ['a long text with slashes', `const a = '${'x'.repeat(100)} // no comment ${'x'.repeat(20)}';`],
    ['a directive', `const a = [${'1, '.repeat(40)}]; // prettier-ignore`],
  ])('accepts %s', (_what, line) => {
    expect(problemsIn('a.ts', line)).toEqual([]);
  });

  it('rejects prose longer than 120 columns in documents, but accepts tables, code blocks and URLs', () => {
    const text = `${words(125)}\n| ${words(125)} |\n\`\`\`\n${words(125)}\n\`\`\`\n<https://example.com/${'a'.repeat(120)}>`;
    expect(problemsIn('docs/guide/a.md', text)).toEqual(['docs/guide/a.md:1: text of 124 columns; wrap it at 120']);
  });

  it.each([
    'RFC 5280 section 4.2',
    'RFC 5280, Section 8',
    'RFC 8555 sect. 7',
    'RFC 5280 appendix A.1 and RFC 5019 section 2',
  ])('rejects the citation "%s", including in documents', (citation) => {
    expect(problemsIn('docs/guide/a.md', `See ${citation}.`)).toEqual([
      'docs/guide/a.md:1: cite clauses with a section sign: `RFC 5280 §4.2`',
    ]);
  });

  it.each(['RFC 5280 §4.2.1.3', 'RFC 5280 appendix A.1', 'RFC 8555', 'the RFC section'])('accepts "%s"', (citation) => {
    expect(problemsIn('a.ts', `// See ${citation}.`)).toEqual([]);
  });
});
