// Back in a list, the focus is on the row that was opened from it.

/** Addresses that were opened from lists, by the history entry of the list. */
const opened = new Map<string, string>();

/** Entries of a long session; older ones are forgotten. */
const MAX_ENTRIES = 200;

export function rememberOpened(entry: string | undefined, address: string): void {
  if (entry === undefined) return;
  opened.delete(entry);
  opened.set(entry, address);
  for (const oldest of opened.keys()) {
    if (opened.size <= MAX_ENTRIES) break;
    opened.delete(oldest);
  }
}

/** Whoever scrolled since finds the list as it was left; the row is only moved into sight where it is not. */
export function returnToOpened(entry: string | undefined, frame: HTMLElement): void {
  const address = entry === undefined ? undefined : opened.get(entry);
  if (address === undefined) return;
  const link = frame.querySelector<HTMLElement>(`tbody a[href="${CSS.escape(address)}"]`);
  if (!link) return;
  link.focus({ preventScroll: true });
  const { top, bottom } = link.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) link.scrollIntoView({ block: 'center' });
}
