// Credential providers: the platform stores the credentials, so only their form is checked.
import { connectorBaseOperations as base } from '@signetry/contract';
import { checkForm } from '../forms.ts';
import type { Scope } from '../scope.ts';
import { checkUnknownKind } from './instances.ts';

export async function checkCredentialProvider(scope: Scope): Promise<void> {
  await checkKindForm(scope, 'credential');
  await checkUnknownKind(scope);
}

/** Checks the form of a kind. */
export const checkKindForm = (scope: Scope, of: string) =>
  checkForm(scope, {
    of,
    list: base.listAttributeDefinitions,
    validate: base.validateAttributes,
    params: { functionalGroup: scope.group, kind: scope.kind },
  });
