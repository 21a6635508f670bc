// The API specification allows only one connector per set of function groups and kinds. Multiple authorities of the
// same product are common, so installations must opt in to that rule (setting `connectorSameKinds`).
import { rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { FunctionGroup } from './info-answer.ts';
import * as store from './store.ts';

type Offer = readonly Pick<FunctionGroup, 'code' | 'kinds'>[];

/** Returns the function groups and kinds of a connector as text that does not depend on their order. */
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
