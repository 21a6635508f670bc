// What becomes of ACME profiles when RA profiles are removed: those that issue with them are left without one, and activations on
// them end.
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { RaProfileDependants } from '../ra-profiles/index.ts';
import type { Platform } from '../../platform/platform.ts';
import * as activations from './store-activations.ts';
import * as store from './store.ts';

export function createRaProfileDependants(
  { clock }: Platform,
  parts: { readonly audit: AuditTrail; readonly attributes: AttributeEngine; readonly onChange: () => void },
): RaProfileDependants {
  const { audit, attributes, onChange } = parts;

  return {
    async onRaProfilesRemoved(tx, raProfileUuids, context) {
      const ended = await activations.remove(tx, raProfileUuids);
      const issuing = (await store.findOfRaProfiles(tx, raProfileUuids)).map(({ uuid }) => uuid);
      const concerned = [...new Set([...issuing, ...ended.map(({ acme_profile_uuid: uuid }) => uuid)])];
      await store.lockMany(tx, concerned);
      const rows = await store.update(tx, concerned, { updated_at: clock.now() });
      await store.detachRaProfiles(tx, raProfileUuids);
      // The values of activations belong to the RA profiles and go with them.
      await attributes.removeObjects(tx, 'acmeProfiles', issuing);
      // The removal is not committed yet; who looks meanwhile remembers the old version, which statements then find outdated.
      onChange();
      if (rows.length === 0) return;
      await audit.append(tx, context, {
        facts: { module: 'protocols', resource: 'acmeProfiles', operation: 'update' },
        objects: rows.map(({ uuid, name }) => ({ uuid, name })),
        affiliated: { resource: 'raProfiles', objects: raProfileUuids.map((uuid) => ({ uuid })) },
      });
    },
  };
}
