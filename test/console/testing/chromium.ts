// Chromium for console tests. Without it, they are skipped with a note.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/** The first has no windows and uses 25% less processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of the browser: $CHROMIUM, or the first one found on PATH. */
export const CHROMIUM: string | undefined = candidates().find(canRun);

/** Appended to the names of test groups, to explain why a group is skipped. */
export const CHROMIUM_NOTE: string =
  CHROMIUM === undefined ? ' (skipped: no Chromium; install it or set CHROMIUM)' : '';

function candidates(): readonly string[] {
  const named = process.env['CHROMIUM'];
  if (named) return [named];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium: install it or set CHROMIUM to its path.');
  // Root cannot use the sandbox; containers have little shared memory.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // The pages of a site share one renderer, which compiles their scripts once.
  const args = [...asRoot, '--disable-dev-shm-usage', '--disable-gpu', '--process-per-site'];
  return chromium.launch({ executablePath: CHROMIUM, args });
}
