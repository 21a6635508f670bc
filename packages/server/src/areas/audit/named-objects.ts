// The objects that a request names: in its path, where its permission is limited to one, or as a list in its body. For
// records of what use cases do not tell, reads and refusals.
import { ownObjectsInBody, type Operation } from '@signetry/contract';
import type { RequestParameters } from '../../kernel/actor.ts';
import { isObject } from '../../kernel/is-object.ts';
import { namedIn } from '../../kernel/named-in.ts';
import type { AuditObject } from './record.ts';

/** A record stays small. */
const MAX_OBJECTS = 100;

/** With the answer, if there is one, to take the name of the object from. */
export function namedObjects(
  operation: Operation,
  { params = {}, body }: Partial<RequestParameters> = {},
  answer?: unknown,
): readonly AuditObject[] {
  const { access, audit, read } = operation;
  // The permission may be on another resource, such as the parent.
  if (typeof access !== 'object' || access.resource !== (audit ?? read)?.resource) return [];
  const uuid = access.object === undefined ? undefined : params[access.object];
  if (uuid !== undefined) return [{ uuid, ...nameIn(answer, uuid) }];
  const named = ownObjectsInBody(operation);
  if (named === undefined) return [];
  return namedIn(body, named)
    .slice(0, MAX_OBJECTS)
    .map((each) => ({ uuid: each }));
}

/** The answer names the object when it is the object itself. */
function nameIn(answer: unknown, uuid: string): Pick<AuditObject, 'name'> {
  if (!isObject(answer)) return {};
  const { uuid: found, name, commonName, username } = answer;
  const text = name ?? commonName ?? username;
  return found === uuid && typeof text === 'string' ? { name: text } : {};
}
