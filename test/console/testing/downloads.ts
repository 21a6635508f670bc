// Files that a page saves.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';

export interface SavedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Returns the file that a click saves. */
export async function saveByClick(page: Page, button: Locator): Promise<SavedFile> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const bytes = await readFile(await download.path());
  return { name: download.suggestedFilename(), bytes, text: bytes.toString('utf8') };
}
