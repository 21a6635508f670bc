// Token operations.
import {
  rejected,
  readBoolean,
  readSecret,
  rejectIf,
  validateAttributes,
  type FunctionHandlers,
} from '@signetry/connector-sdk';
import type { ConnectorContext } from '@signetry/connector-sdk';
import type { ProviderTokenInstanceDto, RequestAttributeDto } from '@signetry/contract';
import type { ConnectorParts } from './parts.ts';
import { ACTIVATION, activationForm, readTokenSpec, tokenChoices, tokenForm } from './tokens/token-form.ts';
import { tokenMetadata } from './tokens/token-metadata.ts';
import { tokenStatus } from './tokens/token-status.ts';
import type { TokenRow } from './tokens/token-store.ts';
import { newUuid } from './uuid.ts';

type Handlers = FunctionHandlers<'cryptographyProvider'>;

const present = (row: Pick<TokenRow, 'uuid' | 'name' | 'library' | 'label' | 'serial'>): ProviderTokenInstanceDto => ({
  uuid: row.uuid,
  name: row.name,
  metadata: tokenMetadata(row),
});

export const tokenHandlers = (
  { tokens, access, libraries }: ConnectorParts,
  { clock, randomBytes }: ConnectorContext,
) =>
  ({
    listAttributeDefinitions: () => tokenForm(libraries),
    validateAttributes: async ({ body }) => {
      await readTokenSpec(libraries, body);
    },
    getCreateTokenAttributes: ({ params }) => tokenChoices(libraries, params.option),
    listTokenInstances: async () => (await tokens.findAll()).map(present),
    createTokenInstance: async ({ body }) => {
      const wish = await readTokenSpec(libraries, body.attributes);
      const created_at = clock.now();
      const row = { uuid: newUuid(created_at.getTime(), randomBytes), name: nameIn(body), ...wish, created_at };
      const present_ = await tokens.insert(row);
      if (present_ !== undefined)
        throw rejected(
          `Cannot add token ${row.label} (serial number ${row.serial}): it is already in use as "${present_}".`,
        );
      return present(row);
    },
    getTokenInstance: async ({ params }) => present(await access.get(params.uuid)),
    updateTokenInstance: async ({ params, body }) => {
      const row = await access.get(params.uuid);
      const { library } = await readTokenSpec(libraries, body.attributes, row);
      const changed = { ...row, name: nameIn(body), library };
      await tokens.update(row.uuid, changed);
      access.forget(row.uuid);
      return present(changed);
    },
    removeTokenInstance: ({ params }) => access.remove(params.uuid),
    getTokenInstanceStatus: async ({ params }) => tokenStatus(access, libraries, await access.get(params.uuid)),
    listTokenInstanceActivationAttributes: async ({ params }) => {
      await access.get(params.uuid);
      return [...activationForm];
    },
    activateTokenInstance: ({ params, body }) => access.activate(params.uuid, activationIn(body)),
    deactivateTokenInstance: ({ params }) => access.deactivate(params.uuid),
    listTokenProfileAttributes: async ({ params }) => {
      await access.get(params.uuid);
      return [];
    },
  }) satisfies Partial<Handlers>;

function nameIn({ name }: { readonly name: string }): string {
  if (name.trim() === '') throw rejected('The token must have a name.');
  return name.trim();
}

function activationIn(given: readonly RequestAttributeDto[]) {
  rejectIf(validateAttributes(activationForm, given));
  const pin = readSecret(given, ACTIVATION.pin);
  if (pin === undefined || pin === '')
    throw rejected(`Attribute "${ACTIVATION.pin}" is required: the token's user PIN.`);
  return { pin, staysActive: readBoolean(given, ACTIVATION.staysActive) ?? false };
}
