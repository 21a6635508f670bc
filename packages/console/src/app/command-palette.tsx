// Search for a certificate, jump to a page, from anywhere: Ctrl+K, Cmd+K or "/".
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useSyncExternalStore } from 'react';

/** Undefined until somebody wants it: till then nothing of it is loaded. */
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
  // Also while somebody types in a field, where a slash is a slash.
  useHotkeys([['mod+K', openPalette]], []);
  if (opened === undefined) return null;
  return (
    <Suspense>
      <PaletteDialog opened={opened} onClose={closePalette} />
    </Suspense>
  );
}
