// Validates an instance's attributes, both at the connector and on the platform.
import type { RequestAttributeDto } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { CredentialUse } from '../../attributes/index.ts';
import type { InstanceParts, InstanceRow, ConnectorKind } from './instance-kind.ts';

export async function acceptAttributes<Row extends InstanceRow, Answer extends { readonly uuid: string }>(
  { connectors, instance }: InstanceParts<Row, Answer>,
  of: ConnectorKind,
  requested: readonly RequestAttributeDto[],
  { actor, signal, before }: Pick<RequestContext, 'actor' | 'signal'> & CredentialUse,
): Promise<RequestAttributeDto[]> {
  const functionGroup = await instance.functionGroupOf(of);
  return connectors.acceptOfKind({ ...of, functionGroup, signal, actor, before }, requested);
}
