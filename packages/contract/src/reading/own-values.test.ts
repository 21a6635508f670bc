// Empty members of updates.
import { describe, expect, it } from 'vitest';
import { platformOperations as operations } from '../index.ts';
import { withoutEmptyOwnValues } from './own-values.ts';

describe('an empty name, kind or connectorUuid', () => {
  it('means the own value of the object to be updated, if the member is required', () => {
    const body = { name: '', kind: '', connectorUuid: '', attributes: [] };
    const read = withoutEmptyOwnValues(operations.updateTokenInstance, body);
    expect(read).toEqual({ body, required: ['name', 'kind', 'connectorUuid'] });
    const named = { ...body, name: 'new', kind: 'SOFT' };
    expect(withoutEmptyOwnValues(operations.updateTokenInstance, named).required).toEqual(['connectorUuid']);
  });

  it('is absent if the member is optional', () => {
    const read = withoutEmptyOwnValues(operations.updateRole, { name: '', description: '' });
    expect(read).toEqual({ body: { description: '' }, required: [] });
  });

  it('remains empty in creations, in extensions, and in members that the schema does not have', () => {
    for (const operation of [operations.createGroup, operations.renamePasskey, operations.editCredential])
      expect(withoutEmptyOwnValues(operation, { name: '' })).toEqual({ body: { name: '' }, required: [] });
  });

  it('is looked for only in objects', () => {
    for (const body of [undefined, null, 'name', ['']])
      expect(withoutEmptyOwnValues(operations.editGroup, body)).toEqual({ body, required: [] });
  });
});
