// The API specification allows only one connector per set of function groups and kinds. However, having multiple
// authorities from the same product is common, so this rule applies only to installations that opt in (setting
// `connectorSameKinds`).
import { rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { FunctionGroup } from './info-response.ts';
import * as store from './store.ts';

type Offer = readonly Pick<FunctionGroup, 'code' | 'kinds'>[];

/** Returns a connector's function groups and kinds as text that does not depend on their order. */
const offerText = (groups: Offer): string =>
  JSON.stringify(groups.map(({ code, kinds }) => [code, ...new Set(kinds)].toSorted()).toSorted());

export function createSameKindsRule({ database }: Platform, sameKinds: 'accept' | 'refuse') {
  return async (groups: Offer, ownUuid: string): Promise<void> => {
    if (sameKinds === 'accept') return;
    const offer = offerText(groups);
    const others = (await store.findAll(database.executor)).filter(
      ({ uuid, functionGroups }) => uuid !== ownUuid && offerText(functionGroups) === offer,
    );
    if (others.length === 0) return;
    const names = others.map(({ name }) => name).join(', ');
    throw rejected(`A connector with the same function groups and kinds already exists: ${names}.`);
  };
}
