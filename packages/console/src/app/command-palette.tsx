// The command palette: finds a certificate or a page from anywhere, by Ctrl+K, Cmd+K or "/".
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useSyncExternalStore } from 'react';

/** Undefined until it is first opened; nothing of it is loaded before. */
let isOpen: boolean | undefined;
const listeners = new Set<() => void>();
const setOpen = (open: boolean): void => {
  isOpen = open;
  listeners.forEach((listener) => listener());
};
export const openPalette = (): void => setOpen(true);
const closePalette = (): void => setOpen(false);

const useIsOpen = (): boolean | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );

export const loadPalette = () => import('./palette-dialog.tsx');
const PaletteDialog = lazy(async () => ({ default: (await loadPalette()).PaletteDialog }));

export function CommandPalette() {
  const opened = useIsOpen();
  useHotkeys([['/', openPalette]]);
  // Also while a field has the focus, where a slash is only a slash.
  useHotkeys([['mod+K', openPalette]], []);
  if (opened === undefined) return null;
  return (
    <Suspense>
      <PaletteDialog opened={opened} onClose={closePalette} />
    </Suspense>
  );
}
