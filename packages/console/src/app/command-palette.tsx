// The command palette: finds an object, a page or an action from anywhere, by Ctrl+K, Cmd+K or "/".
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { makeOpened } from '../ui/opened.ts';

const palette = makeOpened();
export const openPalette = palette.open;

export const loadPalette = () => import('./palette-dialog.tsx');
const PaletteDialog = lazy(async () => ({ default: (await loadPalette()).PaletteDialog }));

export function CommandPalette() {
  const opened = palette.useIsOpen();
  useHotkeys([['/', openPalette]]);
  // Also while a field has the focus, where a slash is only a slash.
  useHotkeys([['mod+K', openPalette]], []);
  if (opened === undefined) return null;
  return (
    <Suspense>
      <PaletteDialog opened={opened} onClose={palette.close} />
    </Suspense>
  );
}
