// Actions that most objects have: edit, enable or disable, and remove.
import type { QueryKey } from '@tanstack/react-query';
import { IconFilePlus, IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { capitalize } from '../format/names.ts';
import type { DialogAction, LinkAction, RunAction } from './actions.tsx';
import { Remove, type RemoveProps } from './remove.tsx';
import { paths } from './paths.ts';
import type { Needs } from './rights.ts';

export const issueAction: LinkAction = {
  label: 'Issue a certificate',
  icon: IconFilePlus,
  isPrimary: true,
  needs: ['certificates', 'issue'],
  to: paths.issue,
};

export const editAction = (to: string, needs: Needs): LinkAction => ({ label: 'Edit', icon: IconPencil, to, needs });

export interface SwitchableObject {
  /** For use within a sentence. */
  readonly name: string;
  readonly enabled: boolean;
  readonly needs: Needs;
  readonly enable: () => Promise<unknown>;
  readonly disable: () => Promise<unknown>;
  /** Consequences of disabling the object. */
  readonly consequence: ReactNode;
  readonly refresh: QueryKey;
}

/** Returns the action to enable or disable an object. Disabling affects others, so it requires confirmation. */
export function switchAction(object: SwitchableObject): RunAction {
  const { name, enabled, needs, enable, disable, consequence, refresh } = object;
  return {
    label: enabled ? 'Disable' : 'Enable',
    name: `${enabled ? 'Disable' : 'Enable'} ${name}`,
    needs,
    run: enabled ? disable : enable,
    done: `${capitalize(name)} is ${enabled ? 'disabled' : 'enabled'}.`,
    refresh,
    ...(enabled && { ask: { title: `Disable ${name}?`, children: consequence } }),
  };
}

export type RemovableObject = Omit<RemoveProps, 'opened' | 'onClose' | 'children' | 'verb'> & {
  /** Specified if the action does more than remove the object. */
  readonly label?: string;
  readonly needs: Needs;
  /** Consequences of the removal. */
  readonly consequence: ReactNode;
};

export const removeAction = ({ label = 'Remove', needs, consequence, ...object }: RemovableObject): DialogAction => ({
  label,
  isGrave: true,
  needs,
  dialog: (dialog) => (
    <Remove {...object} {...dialog} verb={label}>
      {consequence}
    </Remove>
  ),
});
