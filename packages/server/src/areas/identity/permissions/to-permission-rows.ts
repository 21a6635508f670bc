// Builds the rows of platform-defined roles from a table of resources and actions.
import type { Action, Resource } from '@signetry/contract';
import type { PermissionRow } from './permission-rows.ts';

export const toPermissionRows = (granted: Partial<Record<Resource, readonly Action[] | 'all'>>): PermissionRow[] =>
  Object.entries(granted).flatMap(([resource, actions]): PermissionRow[] =>
    actions === 'all' ? [{ resource, action: null }] : actions.map((action) => ({ resource, action })),
  );
