// Role templates: clients display them and use the ordinary operations to create roles from them. Nothing is created
// automatically. Not part of the published interface.
import { z } from 'zod';
import { operations } from '../operations.ts';
import { SubjectPermissionsDto } from '../platform/principals.ts';
import { Resource, ResourceAction } from '../platform/resource.ts';

/** Objects to select when the role is created, and the actions to allow on each. */
export const TemplateChoiceDto = z
  .object({ resource: Resource, allow: z.array(ResourceAction) })
  .meta({ id: 'TemplateChoiceDto' });
export type TemplateChoiceDto = z.output<typeof TemplateChoiceDto>;

/** `permissions` have the same format as those of a saved role. */
export const RoleTemplateDto = z
  .object({
    name: z.string(),
    description: z.string(),
    permissions: SubjectPermissionsDto,
    choices: z.array(TemplateChoiceDto),
  })
  .meta({ id: 'RoleTemplateDto' });
export type RoleTemplateDto = z.output<typeof RoleTemplateDto>;

export const roleTemplateOperations = operations(
  { tag: 'Role Templates', errors: [401, 403, 500] },
  {
    listRoleTemplates: {
      route: 'GET /x/v1/roleTemplates',
      summary: 'List role templates',
      answer: z.array(RoleTemplateDto),
      access: 'authenticated',
    },
  },
);
