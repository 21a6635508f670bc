// Token kinds offered by cryptography providers.
import { findKind, kindsOfTokens, type OfferedKind } from '../connectors/kinds.ts';
import type { Connector } from '../connectors/shapes.ts';

/** Returns the token's kind, or undefined if its connector was removed. */
export const kindOf = (
  token: { readonly connectorUuid?: string | undefined; readonly kind: string },
  connectors: readonly Connector[],
): OfferedKind | undefined => findKind(kindsOfTokens(connectors), token);
