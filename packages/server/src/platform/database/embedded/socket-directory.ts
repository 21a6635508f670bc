// Access to a running embedded server from another process of the same user, such as a command-line tool or a test
// worker. The launcher's own `socketDirectory` is valid only in its process.

import { openSocketFolder } from './folders.ts';

export interface SocketDirectory {
  /** `host` for pg; valid only while this object is open. */
  readonly path: string;
  close(): void;
}

/** Opens the directory in `EmbeddedPostgres.runDirectory`. */
export function openSocketDirectory(runDirectory: string): SocketDirectory {
  const folder = openSocketFolder(runDirectory);
  return { path: folder.path, close: () => folder[Symbol.dispose]() };
}
