// Operations on CAs: create, list, get, update, remove, chain, CRL.
import {
  isConnectorError,
  rejected,
  requireKind,
  notFound,
  handlersOf,
  type CallFacts,
  type ConnectorContext,
  type Handlers,
  type HandlersOf,
} from '@signetry/connector-sdk';
import {
  authorityProviderOperations,
  connectorBaseOperations,
  type AuthorityProviderInstanceDto,
  type AuthorityProviderInstanceRequestDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import { authorityAttributes, type FormFacts } from './attributes/authority-attributes.ts';
import { authorityForm, authorityFormOperations, sourceAttributes } from './attributes/authority-form.ts';
import { raProfileAttributes } from './attributes/ra-profile-attributes.ts';
import type { AuthorityRow } from './authorities/authority-store.ts';
import { caRequestOf } from './authorities/ca-request.ts';
import { readCaSpec } from './authorities/ca-spec.ts';
import { createAuthority } from './authorities/create-authority.ts';
import { presentAuthority } from './authorities/present-authority.ts';
import { updateAuthority } from './authorities/update-authority.ts';
import { softwareAuthorityDeclaration } from './declaration.ts';
import type { ConnectorParts } from './parts.ts';
import { readProfile } from './profiles/certificate-profile.ts';
import { newUuid } from './uuid.ts';

export function authorityHandlers(parts: ConnectorParts, context: ConnectorContext): Handlers {
  const {
    form,
    definitions: _flat,
    check,
    ...functions
  } = authorityFunctions(parts, context, softwareAuthorityDeclaration.kind);
  return {
    ...handlersOf(connectorBaseOperations, {
      listAttributeDefinitions: ({ params }) => {
        requireKind({ connector: softwareAuthorityDeclaration }, params);
        return form().then(authorityForm);
      },
      validateAttributes: async ({ params, body }) => {
        requireKind({ connector: softwareAuthorityDeclaration }, params);
        await check(body);
      },
    }),
    ...handlersOf(authorityFormOperations, {
      listSourceAttributes: async ({ params }) => sourceAttributes(params.source, await form()),
    }),
    ...handlersOf(authorityProviderOperations, functions),
  };
}

export type AuthorityFunctions = ReturnType<typeof authorityFunctions>;

/** Returns the operations on CAs that all function groups share. */
export function authorityFunctions(parts: ConnectorParts, context: ConnectorContext, kind: string) {
  const views = authorityViews(parts, context);
  return {
    form: views.form,
    definitions: async () => authorityAttributes(await views.form()),
    /** Rejects invalid CA attributes. */
    check: async (attributes: readonly RequestAttributeDto[]) => {
      readCaSpec(attributes, await views.form());
    },
    ...instanceFunctions(parts, { context, kind, views }),
    ...useFunctions(parts),
  };
}

type AuthorityViews = ReturnType<typeof authorityViews>;

interface InstanceFacts {
  readonly context: ConnectorContext;
  readonly kind: string;
  readonly views: AuthorityViews;
}

type ProviderHandlers = HandlersOf<typeof authorityProviderOperations>;

/** Returns the functions that look up and present CAs. */
function authorityViews({ store, registry }: ConnectorParts, { tokenKeys, log }: ConnectorContext) {
  const form = async (): Promise<FormFacts> => ({
    parents: await store.findAll(),
    hasTokenKeys: tokenKeys !== undefined,
  });

  const usable = async (uuid: string): Promise<AuthorityRow> => {
    const row = await store.find(uuid);
    if (!row?.certificate) throw notFound('Authority', uuid);
    return row;
  };

  const show = async (uuid: string): Promise<AuthorityProviderInstanceDto> => {
    const instance = presentAuthority(await usable(uuid), authorityAttributes(await form()));
    const authority = await registry.get(uuid);
    if (authority.certificate.isSelfIssued) return instance;
    try {
      return { ...instance, attributes: [...instance.attributes, await caRequestOf(authority)] };
    } catch (error) {
      // An authority is returned even if its token currently cannot sign. This is also the response to an update.
      if (!isConnectorError(error) || error.status !== 503) throw error;
      log.warn({ authority: uuid, problem: error.message }, 'an authority is returned without its CSR');
      return instance;
    }
  };

  return { form, usable, show };
}

const instanceFunctions = (parts: ConnectorParts, facts: InstanceFacts) => {
  const { store, registry } = parts;
  const { context, views } = facts;
  return {
    listAuthorityInstances: async () => {
      const [rows, choices] = [await store.findAll(), await views.form()];
      return rows.map((row) => presentAuthority(row, authorityAttributes(choices)));
    },
    createAuthorityInstance: (call) => createInstance(parts, call, facts),
    getAuthorityInstance: ({ params }) => views.show(params.uuid),
    updateAuthorityInstance: async ({ params, body }) => {
      const row = await views.usable(params.uuid);
      await updateAuthority(store, {
        row,
        name: body.name,
        attributes: body.attributes,
        form: await views.form(),
      });
      registry.forget(params.uuid);
      return views.show(params.uuid);
    },
    removeAuthorityInstance: async ({ params }) => {
      if (!(await store.remove(params.uuid, context.clock.now()))) throw notFound('Authority', params.uuid);
      registry.forget(params.uuid);
    },
  } satisfies ProviderHandlers;
};

interface CreateCall extends CallFacts {
  readonly body: AuthorityProviderInstanceRequestDto;
}

/** Creates one CA per idempotency key. */
function createInstance(
  parts: ConnectorParts,
  { body, idempotencyKey }: CreateCall,
  { context, kind, views }: InstanceFacts,
): Promise<AuthorityProviderInstanceDto> {
  const { name, attributes } = body;
  if (body.kind !== kind) throw rejected(`Unknown kind "${body.kind}".`);
  const readSpec = async () => readCaSpec(attributes, await views.form());
  return parts.idempotency.carryOut(
    { operation: 'createAuthorityInstance', key: idempotencyKey, request: body },
    {
      prepare: async () => {
        await readSpec();
        return { uuid: newUuid(context.clock.now().getTime(), context.randomBytes) };
      },
      perform: async ({ uuid }) => {
        await createAuthority({ ...parts, context }, { uuid, name, attributes, wish: await readSpec() });
        return views.show(uuid);
      },
    },
  );
}

/** Operations on CAs for issuance and CRL publication. */
const useFunctions = ({ registry, crls }: ConnectorParts) =>
  ({
    getConnection: async ({ params }) => {
      await registry.get(params.uuid);
    },
    listRAProfileAttributes: async ({ params }) => {
      const { crlOnRevocation } = await registry.get(params.uuid);
      return raProfileAttributes({ deltaCrls: crlOnRevocation === 'delta' });
    },
    validateRAProfileAttributes: async ({ params, body }) => {
      await registry.get(params.uuid);
      readProfile(body, { allowPlaceholders: true });
    },
    getCaCertificates: async ({ params }) => {
      const { certificate, chain } = await registry.get(params.uuid);
      return { certificates: [certificate.der, ...chain].map((der) => ({ certificateData: toBase64(der) })) };
    },
    getCrl: async ({ params, body }) => {
      const authority = await registry.get(params.uuid);
      return { crlData: await crls.get(authority, body) };
    },
  }) satisfies ProviderHandlers;
