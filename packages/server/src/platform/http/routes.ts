// Binds operations to handlers. The types ensure that every operation in a table has a matching handler.
import type { Readable } from 'node:stream';
import type { Operation, OperationResponse, OperationInput, OperationTable, OwnValues } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { isObject } from '../../kernel/is-object.ts';

/** Base path of all operations. */
const BASE_PATH = '/api';

/** Returns an operation's path in the router's syntax. */
export const routedUrl = (path: string): string => BASE_PATH + path.replaceAll(/\{(\w+)\}/g, ':$1');

/** A handler's input: the validated request data and the request context. */
export type HandlerInput<Op extends Operation> = OperationInput<Op> & { readonly context: RequestContext };

/** Response body, with or without headers; a stream for files; nothing if there is no body. */
export type HandlerResult<Op extends Operation> = Op['success'] extends { readonly media: string }
  ? WithHeaders<Readable | Uint8Array>
  : Op['success'] extends { readonly body: unknown }
    ? WithHeaders<OperationResponse<Op>>
    : void;

type WithHeaders<Body> = Body | HandlerResponse<Body>;

export type Handler<Op extends Operation> = (input: HandlerInput<Op>) => Promise<HandlerResult<Op>> | HandlerResult<Op>;

export type Handlers<Table extends OperationTable> = { readonly [Key in keyof Table]: Handler<Table[Key]> };

export interface Route {
  readonly operation: Operation;
  readonly handle: (input: HandlerInput<Operation>) => unknown;
  /** Returns the values that the object keeps if an update requires members and sends them empty. */
  readonly ownValues?: ((params: OperationInput<Operation>['params']) => Promise<OwnValues>) | undefined;
}

/** Own values of the objects that operations update, by path parameters. */
type OwnValueReaders<Table extends OperationTable> = {
  readonly [Key in keyof Table]?: (params: OperationInput<Table[Key]>['params']) => Promise<OwnValues>;
};

/** Pairs the operations in a table with their handlers. */
export function routes<Table extends OperationTable>(
  table: Table,
  handlers: Handlers<Table>,
  ownValues: OwnValueReaders<Table> = {},
): readonly Route[] {
  return Object.entries(table).map(([key, operation]) => ({
    operation,
    // The mapped type above has checked this pairing; a list of routes cannot retain each operation's type.
    handle: handlers[key as keyof Table] as unknown as Route['handle'],
    ownValues: ownValues[key as keyof Table] as Route['ownValues'],
  }));
}

const answerBrand = Symbol('answer');

/** A response with headers, e.g. `Location` for a created object or the name of a downloaded file. */
export interface HandlerResponse<Body> {
  readonly [answerBrand]: true;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
}

export const respondWith = <Body>(body: Body, headers: Readonly<Record<string, string>>): HandlerResponse<Body> => ({
  [answerBrand]: true,
  body,
  headers,
});

export const isHandlerResponse = (value: unknown): value is HandlerResponse<unknown> =>
  isObject(value) && answerBrand in value;
