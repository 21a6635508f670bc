import { describe, expect, it } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;

function pureFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node', 'testing', 'examples'].includes(entry.name) ? [] : pureFiles(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

describe('the platform-independent part of the package', () => {
  it('imports no Node.js modules, no dependencies and nothing from src/node, so browsers can load it', () => {
    const files = pureFiles(root);
    expect(files.length).toBeGreaterThan(30);
    for (const file of files) {
      const foreign = [...readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)]
        .map(([, source = '']) => source)
        .filter((source) => !source.startsWith('.') || source.includes('/node/') || source.includes('/testing/'));
      expect([file, foreign]).toEqual([file, []]);
      expect([
        file,
        /\bBuffer\b|\bprocess\./.test(readFileSync(file, 'utf8').replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '')),
      ]).toEqual([file, false]);
    }
  });
});
