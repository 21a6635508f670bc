// Operations on authorities at their connector, with lenient parsing, because some deployed connectors omit an
// authority's attributes although the interface requires them.
import { AuthorityProviderInstanceDto, authorityProviderOperations, operation } from '@signetry/contract';
import type { z } from 'zod';

const Instance = AuthorityProviderInstanceDto.extend({
  attributes: AuthorityProviderInstanceDto.shape.attributes.default([]),
});
export type Instance = z.output<typeof Instance>;

const success = { status: 200, body: Instance } as const;
const { createAuthorityInstance, getAuthorityInstance, updateAuthorityInstance, removeAuthorityInstance } =
  authorityProviderOperations;

export const instanceOperations = {
  createAuthorityInstance: operation({ ...createAuthorityInstance, success }),
  getAuthorityInstance: operation({ ...getAuthorityInstance, success }),
  updateAuthorityInstance: operation({ ...updateAuthorityInstance, success }),
  removeAuthorityInstance,
};
