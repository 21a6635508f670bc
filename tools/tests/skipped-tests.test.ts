import { describe, expect, it } from 'vitest';
import type { CaseOutcome } from './outcome.ts';
import { skippedTestLines } from './skipped-tests.ts';

const file = (name: string, ...results: [state: CaseOutcome['state'], name: string][]) => ({
  path: `test/${name}`,
  cases: results.map(([state, of]) => ({ state, name: of, seconds: 0 })),
});

describe('the list of tests that did not run', () => {
  it('names programs that could not be installed, and groups files and tests by reason', () => {
    const files = [
      file('lego.test.ts', ['skipped', 'lego (skipped: no lego on PATH) issues'], ['pending', 'lego (skipped: no lego on PATH) renews']),
      file('certbot.test.ts', ['passed', 'certbot issues']),
      file('pages.test.ts', ['skipped', 'pages (skipped: no Chromium) open'], ['skipped', 'on Windows only']),
    ]; // prettier-ignore
    expect(skippedTestLines(files, { notInstalled: 'lego: Unable to locate package lego\n' })).toEqual([
      '='.repeat(80),
      'NOT EVERYTHING WAS TESTED HERE',
      'could not install lego: Unable to locate package lego',
      'did not run (no lego on PATH):',
      '  test/lego.test.ts: 2 tests',
      'did not run (no Chromium):',
      '  test/pages.test.ts: 1 test',
      '='.repeat(80),
    ]);
  });

  it('is empty if all tests ran', () => {
    expect(skippedTestLines([file('a.test.ts', ['passed', 'a'])], { notInstalled: '' })).toEqual([]);
  });
});
