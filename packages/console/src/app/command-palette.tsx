// The command palette finds objects, pages and actions from anywhere in the console. It opens with Ctrl+K, Cmd+K or
// "/".
import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { createOpenState } from '../ui/open-state.ts';

const palette = createOpenState();
export const openPalette = palette.open;

export const loadPalette = () => import('./palette-dialog.tsx');
const PaletteDialog = lazy(async () => ({ default: (await loadPalette()).PaletteDialog }));

export function CommandPalette() {
  const opened = palette.useIsOpen();
  useHotkeys([['/', openPalette]]);
  // Works even while a field has focus, where "/" is an ordinary character.
  useHotkeys([['mod+K', openPalette]], []);
  if (opened === undefined) return null;
  return (
    <Suspense>
      <PaletteDialog opened={opened} onClose={palette.close} />
    </Suspense>
  );
}
