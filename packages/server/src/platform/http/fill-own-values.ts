// Replaces empty members of updates by the object's own values, before the request is parsed.
import { withoutEmptyOwnValues, type Operation, type OperationInput } from '@signetry/contract';
import type { FastifyRequest } from 'fastify';
import { isObject } from '../../kernel/is-object.ts';
import type { Route } from './routes.ts';

/** Fills in the body of an update. Called after the permission check. Parsing reports the members that remain empty. */
export async function fillOwnValues({ operation, ownValues }: Route, request: FastifyRequest): Promise<void> {
  const { body, required } = withoutEmptyOwnValues(operation, request.body);
  request.body = body;
  if (!ownValues || required.length === 0 || !isObject(body)) return;
  const params = operation.params?.safeParse(request.params);
  if (!params?.success) return;
  // The operation's schema has determined the type.
  const own = await ownValues(params.data as OperationInput<Operation>['params']);
  const filled = required.flatMap((name) => (own[name] ? [[name, own[name]] as const] : []));
  request.body = { ...body, ...Object.fromEntries(filled) };
}
