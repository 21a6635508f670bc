// Restores the focus in a list to the row that the user opened.

/** Paths opened from lists, keyed by the history entry of the list. */
const opened = new Map<string, string>();

/** Limits memory use in long sessions; the oldest entries are dropped. */
const MAX_ENTRIES = 200;

export function rememberOpenedRow(entry: string | undefined, address: string): void {
  if (entry === undefined) return;
  opened.delete(entry);
  opened.set(entry, address);
  for (const oldest of opened.keys()) {
    if (opened.size <= MAX_ENTRIES) break;
    opened.delete(oldest);
  }
}

/** Focuses the link that was opened. The scroll position is kept unless the row would be out of view. */
export function focusOpenedRow(entry: string | undefined, frame: HTMLElement): void {
  const address = entry === undefined ? undefined : opened.get(entry);
  if (address === undefined) return;
  const link = frame.querySelector<HTMLElement>(`tbody a[href="${CSS.escape(address)}"]`);
  if (!link) return;
  link.focus({ preventScroll: true });
  const { top, bottom } = link.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) link.scrollIntoView({ block: 'center' });
}
