// References to a credential: objects of any resource whose attribute values refer to it. A credential in use cannot be
// removed.
import type { Resource } from '@signetry/contract';
import type { Executor } from '../../platform/database/database.ts';
import type { ObjectNames } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { CredentialRow } from './tables.ts';

/** Maximum number of names listed in an error message; for the rest, only the number is given. */
const MAX_NAMES = 10;

export interface CredentialUsersParts {
  readonly attributes: AttributeEngine;
  /** From all areas; read after they have been created. */
  readonly objectNames: () => ObjectNames;
}

/** Returns one line for each credential in use and each type of object that uses it. */
export async function describeUses(
  { attributes, objectNames }: CredentialUsersParts,
  tx: Executor,
  rows: readonly CredentialRow[],
): Promise<string[]> {
  const uuids = rows.map(({ uuid }) => uuid);
  const users = await attributes.findUsersOfCredentials(tx, uuids);
  const names = objectNames();
  const lines: string[] = [];
  for (const { uuid, name } of rows) {
    const own = users.filter((user) => user.credential_uuid === uuid && !isAmong(uuids, user));
    for (const [resource, objects] of Map.groupBy(own, ({ object_resource }) => object_resource)) {
      const objectUuids = objects.map(({ object_uuid }) => object_uuid);
      // Each area writes its own resource's name to this column.
      const found = await names[resource as Resource]?.(tx, objectUuids);
      lines.push(describeUse({ name, resource, users: found?.map((object) => object.name) ?? objectUuids }));
    }
  }
  return lines;
}

/** Objects that are removed in the same call do not count as users of a credential. */
const isAmong = (uuids: readonly string[], user: { object_resource: string; object_uuid: string }): boolean =>
  user.object_resource === 'credentials' && uuids.includes(user.object_uuid);

function describeUse({ name, resource, users }: { name: string; resource: string; users: readonly string[] }): string {
  const more = users.length > MAX_NAMES ? ` and ${users.length - MAX_NAMES} more` : '';
  return `Credential ${name} is in use. Dependent ${describeResource(resource)} (${users.length}): ${users.slice(0, MAX_NAMES).join(', ')}${more}`;
}

/** Formats a resource name for display, e.g. `raProfiles` as "RA profiles". */
const describeResource = (resource: string): string =>
  resource
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^(ra|acme|scep|cmp)\b/, (abbreviation) => abbreviation.toUpperCase());
