import { describe, expect, it } from 'vitest';
import { wordProblemsIn } from './words.ts';

const found = (path: string, content: string): string[] =>
  wordProblemsIn(path, content).map((problem) => /"(.*?)"/.exec(problem)?.[1] ?? problem);

describe('the word check', () => {
  it.each([
    ['a comment', 'packages/server/src/a.ts', '// Whoever asks gets an answer.\nconst a = 1;', 'Whoever'],
    ['a docstring', 'packages/server/src/a.ts', '/**\n * Read\n * anew.\n */\nconst a = 1;', 'anew'],
    ['an error message', 'packages/server/src/a.ts', "throw rejected('The request is refused.');", 'refused'],
    ['a label', 'packages/console/src/a.tsx', '<Switch label="Tried at once" />', 'at once'],
    [
      'text of an element',
      'packages/console/src/a.tsx',
      '<Text>\n  Nothing happens by itself yet\n</Text>',
      'by itself',
    ],
    ['a CLI description', 'packages/cli/src/a.ts', "about: 'Rehearse future renewals',", 'Rehearse'],
    ['a test title', 'test/a.test.ts', "it('goes on meanwhile', () => {});", 'meanwhile'],
    ['a document', 'docs/guide/a.md', 'Intro.\n\nWhat was imported is checked.', 'What was imported is'],
    ['a table in a document', 'README.md', '| Option | Rules in force |', 'in force'],
  ])('finds a replaced word in %s', (_kind, path, content, word) => {
    expect(found(path, content)).toEqual([word]);
  });

  it('reports the line, the rule and the replacement', () => {
    expect(wordProblemsIn('packages/server/src/a.ts', 'const a = 1;\n// Enrolment of devices.\n')).toEqual([
      'packages/server/src/a.ts:2: "Enrolment" (spelling); write: enroll, enrollment',
    ]);
  });

  it.each([
    ['code in backticks', 'docs/guide/a.md', 'The state `refused` is final.'],
    ['a code block', 'docs/guide/a.md', '```\nit was refused at once\n```'],
    ['an import', 'packages/server/src/a.ts', "import { refused } from './what was refused.ts';"],
    ['SQL', 'packages/server/src/a.ts', "const q = 'SELECT whatever FROM refused meanwhile';"],
    ['sample data of a test', 'test/a.test.ts', "const name = 'refused at once';"],
    ['a template hole', 'packages/server/src/a.ts', 'const t = `Cannot read ${refused ? one : other} here.`;'],
    ['the name of a command', 'packages/cli/src/a.ts', "name: 'enrollments list',"],
    ['a question', 'docs/guide/a.md', 'What does it cost?'],
    [
      'a nested template',
      'packages/server/src/a.ts',
      'const t = `Items: ${refused > 0 ? `, ${refused} rejected` : ""}.`;',
    ],
    ['code between literals', 'packages/server/src/a.ts', "if (a === 'md5' || b) return refuse('weak-digest');"],
    ['a file name', 'packages/server/src/a.ts', '// See rule-catalogue.ts for the rules.'],
    ['an existential clause', 'packages/server/src/a.ts', '// There are no rows.'],
  ])('ignores %s', (_what, path, content) => {
    expect(found(path, content)).toEqual([]);
  });
});
