// Access to a running embedded server from another process of the same user, such as a command-line tool or a test
// worker: the launcher's own `socketDirectory` means something in the launcher's process only.

import { openSocketFolder } from './folders.ts';

export interface SocketDirectory {
  /** The `host` for pg, as long as this is open. */
  readonly path: string;
  close(): void;
}

/** Opens the folder named by `EmbeddedPostgres.runDirectory`. */
export function openSocketDirectory(runDirectory: string): SocketDirectory {
  const folder = openSocketFolder(runDirectory);
  return { path: folder.path, close: () => folder[Symbol.dispose]() };
}
