// Number of objects that use a custom attribute, requested before the attribute is deleted. Not part of the published
// interface.
import { z } from 'zod';
import { objectErrors, operations } from '../operations.ts';
import { int64 } from '../primitives.ts';

export const CustomAttributeUse = z
  .object({
    /** Number of objects that have a value for the attribute. */
    objects: int64(),
  })
  .meta({ id: 'CustomAttributeUse' });
export type CustomAttributeUse = z.output<typeof CustomAttributeUse>;

export const customAttributeUseOperations = operations(
  { tag: 'Custom Attributes', resource: 'attributes', module: 'core', errors: objectErrors },
  {
    getCustomAttributeUse: {
      route: 'GET /x/v1/attributes/custom/{uuid}/use',
      summary: 'Count objects that have a value of a Custom Attribute',
      answer: CustomAttributeUse,
      access: { action: 'detail', object: 'uuid' },
    },
  },
);
