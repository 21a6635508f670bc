// Operations of the inventory: all of the interface's certificate operations but the submission of a request, and our
// search.
import {
  certificateSearchOperations,
  certificateSettlementOperations,
  type certificateOperations,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { answer, routes, type Handlers, type Route } from '../../platform/http/routes.ts';
import { withoutHidden } from './core/access.ts';
import type { Inventory } from './inventory.ts';

type InventoryOperations = Omit<typeof certificateOperations, 'submitCertificateRequest'>;

/** The certificate that the path names, when the caller may see it. */
const visibleIn =
  (inventory: Inventory) =>
  async (params: { readonly uuid: string }, context: RequestContext): Promise<string> => {
    await inventory.assertVisible([params.uuid], context);
    return params.uuid;
  };

export function inventoryHandlers(inventory: Inventory): Handlers<InventoryOperations> {
  const visible = visibleIn(inventory);
  return {
    listCertificates: ({ body, context }) => inventory.list(body, context),
    getCertificateSearchFields: ({ context }) => inventory.searchFields(context),
    getCertificateContent: async ({ body, context }) => {
      await inventory.assertVisible(body, context);
      return inventory.contents(body);
    },
    uploadCertificate: async ({ body, context }) => ({ uuid: await inventory.upload(body, context) }),
    getCertificate: async ({ params, context }) =>
      withoutHidden(await inventory.detail(await visible(params, context), context), context),
    updateCertificateObjects: async ({ params, body, context }) => {
      await inventory.update(await visible(params, context), body, context);
    },
    deleteCertificate: async ({ params, context }) => {
      await inventory.remove(await visible(params, context), context);
    },
    bulkDeleteCertificate: async ({ body, context }) => {
      await inventory.assertVisible(body.uuids ?? [], context);
      return inventory.removeMany(body, context);
    },
    getCertificateChain: async ({ params, query, context }) =>
      inventory.chain(await visible(params, context), {
        withEndCertificate: query.withEndCertificate ?? false,
        context,
      }),
    downloadCertificateChain: async ({ params, query, context }) =>
      inventory.downloadChain(await visible(params, context), {
        format: params.certificateFormat,
        encoding: query.encoding,
        withEndCertificate: query.withEndCertificate ?? false,
      }),
    downloadCertificate: async ({ params, query, context }) =>
      inventory.download(await visible(params, context), {
        format: params.certificateFormat,
        encoding: query.encoding,
      }),
    getCertificateEventHistory: async ({ params, context }) => inventory.history(await visible(params, context)),
    getCertificateValidationResult: async ({ params, context }) =>
      inventory.validate(await visible(params, context), context),
  };
}

export const searchRoutes = (inventory: Inventory): readonly Route[] =>
  routes(certificateSearchOperations, {
    searchCertificates: ({ body, context }) => inventory.search(body, context),
    exportCertificates: async ({ body, context }) => {
      const { file, fileName } = await inventory.exportCsv(body, context);
      return answer(file, { 'content-disposition': `attachment; filename="${fileName}"` });
    },
  });

export const settlementRoutes = (inventory: Inventory): readonly Route[] =>
  routes(certificateSettlementOperations, {
    declareCertificateNotIssued: async ({ params, body, context }) => {
      await inventory.declareNotIssued(await visibleIn(inventory)(params, context), body, context);
    },
  });
