// Button in a settings panel's header.
import type { DialogAction } from '../../kit/actions.tsx';

export const changeAction = (what: string, dialog: DialogAction['dialog']): DialogAction => ({
  label: 'Change',
  name: `Change ${what}`,
  needs: ['settings', 'update'],
  dialog,
});
