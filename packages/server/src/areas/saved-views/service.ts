// Use cases of saved views. Every change is committed together with its audit record.
import {
  MAX_SAVED_VIEWS,
  type Resource,
  type SavedSearch,
  type SavedView,
  type SavedViewRequest,
  type SavedViewResource,
  type SavedViewUpdate,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, rejected } from '../../kernel/errors.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { presentSavedView } from './present.ts';
import * as store from './store.ts';
import type { SavedViewRow } from './tables.ts';

export type SavedViewService = ReturnType<typeof createSavedViewService>;

export function createSavedViewService({ clock, database }: Platform, { audit }: { readonly audit: AuditTrail }) {
  const list = async (resource: SavedViewResource | undefined, context: RequestContext): Promise<SavedView[]> =>
    (await store.findViews(database.executor, callerOf(context).uuid, resource)).map(presentSavedView);

  /** Calls `work` to save the row under an unused name, and records the change. */
  const save = (
    { name, isDefault }: SavedViewUpdate,
    context: RequestContext,
    work: (tx: Executor) => Promise<SavedViewRow>,
  ): Promise<SavedView> =>
    rejectTakenName(store.savedViews, name, () =>
      database.transaction(async (tx) => {
        const row = await work(tx);
        await store.setDefault(tx, row, isDefault);
        await record(tx, row, context);
        return presentSavedView({ ...row, is_default: isDefault });
      }),
    );

  /** Views are private to their user, so the audit record refers to the user instead of the view. */
  async function record(tx: Executor, { uuid, resource, name }: SavedViewRow, context: RequestContext): Promise<void> {
    const user = callerOf(context);
    const data = { savedView: { uuid, resource, name } };
    await audit.append(tx, context, { objects: [{ uuid: user.uuid, name: user.username }], data });
  }

  function create(request: SavedViewRequest, context: RequestContext): Promise<SavedView> {
    const user = callerOf(context);
    const now = clock.now();
    const { resource, name, search } = request;
    return save(request, context, async (tx) => {
      if ((await store.countViews(tx, user.uuid)) >= MAX_SAVED_VIEWS)
        throw rejected(`User ${user.username} already has ${MAX_SAVED_VIEWS} saved views. Delete one first.`);
      const row = { uuid: newUuid(), user_uuid: user.uuid, resource, name, search, created_at: now, updated_at: now };
      await store.insertView(tx, row);
      return row;
    });
  }

  const update = (uuid: string, request: SavedViewUpdate, context: RequestContext): Promise<SavedView> =>
    save(request, context, async (tx) => {
      const { name, search } = request;
      const own = { userUuid: callerOf(context).uuid, uuid };
      const row = await store.updateView(tx, own, { name, search, updated_at: clock.now() });
      return requireFound(row, store.savedViews.what, uuid);
    });

  const remove = (uuid: string, context: RequestContext): Promise<void> =>
    database.transaction(async (tx) => {
      const row = await store.deleteView(tx, { userUuid: callerOf(context).uuid, uuid });
      await record(tx, requireFound(row, store.savedViews.what, uuid), context);
    });

  async function findSearch(
    { uuid, resource }: { readonly uuid: string; readonly resource: Resource },
    context: RequestContext,
  ): Promise<SavedSearch> {
    const views = await store.findViews(database.executor, callerOf(context).uuid);
    const view = requireFound(
      views.find((each) => each.uuid === uuid.toLowerCase()),
      store.savedViews.what,
      uuid,
    );
    if (view.resource !== resource) throw rejected(`View ${view.name} is for ${view.resource}, not for ${resource}.`);
    return view.search;
  }

  return { list, create, update, remove, findSearch };
}

/** Only users have views; the platform and the protocol servers have none. */
function callerOf({ actor: { userUuid, username } }: RequestContext): {
  readonly uuid: string;
  readonly username: string;
} {
  if (userUuid === null || username === null) throw rejected('Saved views require a signed-in user.');
  return { uuid: userUuid, username };
}
