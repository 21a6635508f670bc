// The command palette dialog; loaded when it is first opened or when the browser is idle.
import { Modal } from '@mantine/core';
import { Palette } from './palette.tsx';

export function PaletteDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  return (
    <Modal.Root opened={opened} onClose={onClose} size="lg" yOffset="12vh" transitionProps={{ duration: 120 }}>
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label="Search">
        <Modal.Body p={0}>{opened && <Palette onClose={onClose} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
