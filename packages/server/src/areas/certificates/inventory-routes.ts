// Operations of the inventory, all of the interface's certificate operations but the submission of a request.
import type { certificateOperations } from '@signetry/contract';
import type { Handlers } from '../../platform/http/routes.ts';
import type { Inventory } from './inventory.ts';

type InventoryOperations = Omit<typeof certificateOperations, 'submitCertificateRequest'>;

export const inventoryHandlers = (inventory: Inventory): Handlers<InventoryOperations> => ({
  listCertificates: ({ body }) => inventory.list(body),
  getCertificateSearchFields: () => inventory.searchFields(),
  getCertificateContent: ({ body }) => inventory.contents(body),
  uploadCertificate: async ({ body, context }) => ({ uuid: await inventory.upload(body, context) }),
  getCertificate: ({ params }) => inventory.detail(params.uuid),
  updateCertificateObjects: ({ params, body, context }) =>
    inventory.update(params.uuid, body, context).then(() => undefined),
  deleteCertificate: ({ params, context }) => inventory.remove(params.uuid, context).then(() => undefined),
  bulkDeleteCertificate: ({ body, context }) => inventory.removeMany(body, context),
  getCertificateChain: ({ params, query }) =>
    inventory.chain(params.uuid, { withEndCertificate: query.withEndCertificate ?? false }),
  downloadCertificateChain: ({ params, query }) =>
    inventory.downloadChain(params.uuid, {
      format: params.certificateFormat,
      encoding: query.encoding,
      withEndCertificate: query.withEndCertificate ?? false,
    }),
  downloadCertificate: ({ params, query }) =>
    inventory.download(params.uuid, { format: params.certificateFormat, encoding: query.encoding }),
  getCertificateEventHistory: ({ params }) => inventory.history(params.uuid),
  getCertificateValidationResult: ({ params, context }) => inventory.validate(params.uuid, context),
});
