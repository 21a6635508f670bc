// Objects that a request names: in its path if its permission is limited to one object, or as a list in its body. Used
// for records that no use case describes, i.e. records of reads and rejections.
import { ownObjectsInBody, type Operation } from '@signetry/contract';
import type { RequestParameters } from '../../kernel/actor.ts';
import { isObject } from '../../kernel/is-object.ts';
import { identifiersAt } from '../../kernel/identifiers-at.ts';
import type { AuditObject } from './record.ts';

/** Maximum number of objects, which limits the size of a record. */
const MAX_OBJECTS = 100;

/** Returns the objects that a request names. Their name comes from the response, if there is one. */
export function namedObjects(
  operation: Operation,
  { params = {}, body }: Partial<RequestParameters> = {},
  answer?: unknown,
): readonly AuditObject[] {
  const { access, audit, read } = operation;
  // The permission may be for a different resource, such as the parent.
  if (typeof access !== 'object' || access.resource !== (audit ?? read)?.resource) return [];
  const uuid = access.object === undefined ? undefined : params[access.object];
  if (uuid !== undefined) return [{ uuid, ...nameIn(answer, uuid) }];
  const named = ownObjectsInBody(operation);
  if (named === undefined) return [];
  return identifiersAt(body, named)
    .slice(0, MAX_OBJECTS)
    .map((each) => ({ uuid: each }));
}

/** Returns the name from the response, if the response is the object itself. */
function nameIn(answer: unknown, uuid: string): Pick<AuditObject, 'name'> {
  if (!isObject(answer)) return {};
  const { uuid: found, name, commonName, username } = answer;
  const text = name ?? commonName ?? username;
  return found === uuid && typeof text === 'string' ? { name: text } : {};
}
