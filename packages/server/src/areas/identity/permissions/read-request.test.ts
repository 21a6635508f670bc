import { actionsOf, permissionResources, resourceFlags } from '@signetry/contract';
import { expect, it } from 'vitest';
import { newUuid } from '../../../kernel/ids.ts';
import { readObjects } from './read-request.ts';

/** Every resource has named objects. */
const known = { has: () => true, find: async () => [] };

it.each(permissionResources)(
  'permissions on an object of %s are stored if supported, and rejected otherwise',
  (name) => {
    const object = { uuid: newUuid(), name: 'object', deny: [...actionsOf(name)] };
    const reading = () => readObjects(name, { objects: [object], inherited: [], known });
    if (resourceFlags(name).hasObjectAccess) expect(reading().rows).toHaveLength(actionsOf(name).length);
    else expect(reading).toThrow(`The resource ${name} does not support permissions on individual objects`);
  },
);
