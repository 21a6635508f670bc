// All certificate operations of the published interface, and the inventory's extension operations.
import {
  certificateChangeOperations,
  certificateImportOperations,
  certificateLineageOperations,
  certificateOperations,
  certificateParsingOperations,
  certificateSearchOperations,
  type Action,
  type ChosenCertificates,
  type LocationDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound } from '../../kernel/errors.ts';
import { respondWith, routes, type Handlers, type Route } from '../../platform/http/routes.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Approvals } from '../approvals/index.ts';
import { findCertificate, withoutHiddenObjects } from '../certificates/index.ts';
import { csrAttributes, type IssuingArea } from '../issuing/index.ts';
import type { Inventory } from './inventory.ts';

export interface CertificateRouteParts {
  readonly platform: Pick<Platform, 'database'>;
  readonly inventory: Inventory;
  readonly issuing: Pick<IssuingArea, 'issuance' | 'requests'>;
  readonly approvals: Pick<Approvals, 'listOfObject'>;
  readonly findLocations: (certificateUuid: string, context: RequestContext) => Promise<LocationDto[]>;
}

export const certificateRoutes = ({
  platform: { database },
  inventory,
  issuing: { issuance, requests },
  approvals,
  findLocations,
}: CertificateRouteParts): readonly Route[] => [
  ...searchRoutes(inventory),
  ...parsingRoutes(inventory),
  ...lineageRoutes(inventory),
  ...changeRoutes(inventory),
  ...importRoutes(inventory),
  ...routes(certificateOperations, {
    ...inventoryHandlers(inventory),
    listCertificateLocations: async ({ params, context }) => {
      await inventory.assertVisible([params.certificateUuid], { context, action: 'detail' });
      requireFound(
        await findCertificate(database.executor, params.certificateUuid),
        'Certificate',
        params.certificateUuid,
      );
      return findLocations(params.certificateUuid, context);
    },
    listCertificateApprovals: async ({ params, query, context }) => {
      await inventory.assertVisible([params.uuid], { context, action: 'detail' });
      const { uuid } = requireFound(await findCertificate(database.executor, params.uuid), 'Certificate', params.uuid);
      return approvals.listOfObject('certificates', uuid, query);
    },
    submitCertificateRequest: async ({ body, context }) => {
      const { raProfileUuid, issueAttributes: attributes, customAttributes } = body;
      const request = await requests.given(body, context);
      const uuid = await issuance.submit({ raProfileUuid, request, attributes, customAttributes }, context);
      return inventory.detail(uuid, context);
    },
  }),
];

type InventoryOperations = Omit<
  typeof certificateOperations,
  'submitCertificateRequest' | 'listCertificateApprovals' | 'listCertificateLocations'
>;

/** Returns the certificate in the path if the caller can perform the action on it. */
const visibleIn =
  (inventory: Inventory, action: Action) =>
  async ({ uuid }: { readonly uuid: string }, context: RequestContext): Promise<string> => {
    await inventory.assertVisible([uuid], { context, action });
    return uuid;
  };

export function inventoryHandlers(inventory: Inventory): Handlers<InventoryOperations> {
  const visible = visibleIn(inventory, 'detail');
  return {
    listCertificates: ({ body, context }) => inventory.list(body, context),
    getCertificateSearchFields: ({ context }) => inventory.searchFields(context),
    getCertificateContent: async ({ body, context }) => {
      await inventory.assertVisible(body, { context, action: 'detail' });
      return inventory.contents(body);
    },
    uploadCertificate: async ({ body, context }) => ({ uuid: await inventory.upload(body, context) }),
    getCertificate: async ({ params, context }) =>
      withoutHiddenObjects(await inventory.detail(await visible(params, context), context), context),
    updateCertificateObjects: async ({ params, body, context }) => {
      await inventory.update(await visibleIn(inventory, 'update')(params, context), body, context);
    },
    bulkUpdateCertificateObjects: async ({ body, context }) => {
      await inventory.assertVisible(body.certificateUuids ?? [], { context, action: 'update' });
      await inventory.updateMany(body, context);
    },
    ...archiveHandlers(inventory),
    ...relationHandlers(inventory),
    getCsrGenerationAttributes: async () => [...csrAttributes],
    deleteCertificate: async ({ params, context }) => {
      await inventory.remove(await visibleIn(inventory, 'delete')(params, context), context);
    },
    bulkDeleteCertificate: async ({ body, context }) => {
      await inventory.assertVisible(body.uuids ?? [], { context, action: 'delete' });
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

type ArchiveOperations = Pick<
  InventoryOperations,
  'archiveCertificate' | 'unarchiveCertificate' | 'bulkArchiveCertificate' | 'bulkUnarchiveCertificate'
>;

function archiveHandlers(inventory: Inventory): Handlers<ArchiveOperations> {
  const visible = visibleIn(inventory, 'archive');
  const archiveMany = async (uuids: readonly string[], archived: boolean, context: RequestContext): Promise<void> => {
    await inventory.assertVisible(uuids, { context, action: 'archive' });
    await inventory.archiveMany(uuids, archived, context);
  };
  return {
    archiveCertificate: async ({ params, context }) =>
      inventory.archiveOne(await visible(params, context), true, context),
    unarchiveCertificate: async ({ params, context }) =>
      inventory.archiveOne(await visible(params, context), false, context),
    bulkArchiveCertificate: ({ body, context }) => archiveMany(body, true, context),
    bulkUnarchiveCertificate: ({ body, context }) => archiveMany(body, false, context),
  };
}

type RelationOperations = Pick<
  InventoryOperations,
  'getCertificateRelations' | 'associateCertificates' | 'removeCertificateAssociation'
>;

function relationHandlers(inventory: Inventory): Handlers<RelationOperations> {
  const pairOf = async (
    { uuid, certificateUuid }: { readonly uuid: string; readonly certificateUuid: string },
    context: RequestContext,
  ) => {
    await inventory.assertVisible([uuid, certificateUuid], { context, action: 'update' });
    return [uuid.toLowerCase(), certificateUuid.toLowerCase()] as const;
  };
  return {
    getCertificateRelations: async ({ params, context }) =>
      inventory.relations(await visibleIn(inventory, 'detail')(params, context), context),
    associateCertificates: async ({ params, context }) => inventory.associate(await pairOf(params, context), context),
    removeCertificateAssociation: async ({ params, context }) =>
      inventory.dissociate(await pairOf(params, context), context),
  };
}

function changeRoutes(inventory: Inventory): readonly Route[] {
  const visible = ({ certificateUuids = [] }: ChosenCertificates, action: Action, context: RequestContext) =>
    inventory.assertVisible(certificateUuids, { context, action });
  return routes(certificateChangeOperations, {
    listCertificateChanges: ({ context }) => inventory.changes(context),
    getCertificateChange: ({ params, context }) => inventory.change(params.uuid, context),
    updateManyCertificates: async ({ body, context }) => {
      await visible(body, 'update', context);
      return inventory.startUpdate(body, context);
    },
    archiveManyCertificates: async ({ body, context }) => {
      await visible(body, 'archive', context);
      return inventory.startArchiving(body, context);
    },
    unarchiveManyCertificates: async ({ body, context }) => {
      await visible(body, 'archive', context);
      return inventory.startUnarchiving(body, context);
    },
    deleteManyCertificates: async ({ body, context }) => {
      await visible(body, 'delete', context);
      return inventory.startDeletion(body, context);
    },
    stopCertificateChange: ({ params, context }) => inventory.stopChange(params.uuid, context),
  });
}

const importRoutes = (inventory: Inventory): readonly Route[] =>
  routes(certificateImportOperations, {
    importCertificates: ({ body, context }) => inventory.importMany(body, context),
  });

const searchRoutes = (inventory: Inventory): readonly Route[] =>
  routes(certificateSearchOperations, {
    searchCertificates: ({ body, context }) => inventory.search(body, context),
    exportCertificates: async ({ body, context }) => {
      const { file, fileName } = await inventory.exportCsv(body, context);
      return respondWith(file, { 'content-disposition': `attachment; filename="${fileName}"` });
    },
  });

const parsingRoutes = (inventory: Inventory): readonly Route[] =>
  routes(certificateParsingOperations, {
    getParsedCertificate: async ({ params, context }) =>
      inventory.parsed(await visibleIn(inventory, 'detail')(params, context)),
  });

const lineageRoutes = (inventory: Inventory): readonly Route[] =>
  routes(certificateLineageOperations, {
    getCertificateLineage: async ({ params, context }) =>
      inventory.lineage(await visibleIn(inventory, 'detail')(params, context), context),
  });
