// Credential providers: the platform keeps the credentials, so there is only their form.
import { connectorBaseOperations as base } from '@signetry/contract';
import { checkForm } from '../forms.ts';
import type { Scope } from '../scope.ts';
import { checkUnknownKind } from './instances.ts';

export async function checkCredentialProvider(scope: Scope): Promise<void> {
  await checkKindForm(scope, 'a credential');
  await checkUnknownKind(scope);
}

/** The form of a kind. */
export const checkKindForm = (scope: Scope, of: string) =>
  checkForm(scope, {
    of,
    list: base.listAttributeDefinitions,
    validate: base.validateAttributes,
    params: { functionalGroup: scope.group, kind: scope.kind },
  });
