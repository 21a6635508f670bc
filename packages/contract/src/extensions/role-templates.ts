// Ready-made roles to start from: a client shows them, and makes a role of one by the ordinary operations. Nothing is
// created until somebody asks. Not part of the published interface.
import { z } from 'zod';
import { operations } from '../operations.ts';
import { SubjectPermissionsDto } from '../platform/principals.ts';
import { Resource, ResourceAction } from '../platform/resource.ts';

/** Objects to choose when the role is made, and what to allow on each. */
export const TemplateChoiceDto = z
  .object({ resource: Resource, allow: z.array(ResourceAction) })
  .meta({ id: 'TemplateChoiceDto' });
export type TemplateChoiceDto = z.output<typeof TemplateChoiceDto>;

/** `permissions` have the form in which those of a role are saved. */
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
      summary: 'List ready-made roles',
      answer: z.array(RoleTemplateDto),
      access: 'authenticated',
    },
  },
);
