// Operations of every connector: function groups and health.
import { connectorBaseOperations as base, HealthDto, missingEndpoints, type InfoResponse } from '@signetry/contract';
import { expect, type Session } from '../session.ts';

/** Returns the declared function groups, which determine all further checks. */
export async function checkInfo(session: Session): Promise<readonly InfoResponse[]> {
  const info = await session.check({}, 'declares its function groups and their kinds', async () => {
    const groups = await session.ask(base.listSupportedFunctions);
    const codes = groups.map(({ functionGroupCode }) => functionGroupCode);
    expect(groups.length > 0, 'The connector declares no function groups.', 'at least one function group');
    expect(new Set(codes).size === codes.length, 'A function group is declared twice.', 'each function group once');
    const without = groups.find(({ kinds }) => kinds.length === 0 || kinds.some((kind) => kind.trim() === ''));
    expect(
      !without,
      `Function group ${without?.functionGroupCode} has no kinds, or a kind without a name.`,
      'named kinds',
    );
    return groups;
  });
  for (const { functionGroupCode: group, endPoints } of info ?? []) {
    await session.check({ group }, 'declares every required endpoint of the function group', async () => {
      const lacked = missingEndpoints(group, endPoints).map(
        ({ name, method, context }) => `${name} (${method} ${context})`,
      );
      expect(
        lacked.length === 0,
        `Missing endpoints: ${lacked.join(', ')}.`,
        'all required endpoints, by name, method and context',
      );
    });
  }
  return info ?? [];
}

export async function checkHealth(session: Session): Promise<void> {
  await session.check({}, 'reports its health and that of its parts', async () => {
    const health = HealthDto.parse(await session.ask(base.checkHealth));
    expect(
      health.status !== 'nok',
      `The connector reports that it is not healthy: ${session.secrets.hide(reasonsOf(health).join('; '))}`,
      'the status ok or unknown',
    );
  });
}

const reasonsOf = ({ description, parts = {} }: HealthDto): string[] => [
  ...(description === undefined ? [] : [description]),
  ...Object.values(parts).flatMap(reasonsOf),
];
