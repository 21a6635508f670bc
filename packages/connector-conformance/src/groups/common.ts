// What every connector answers: its function groups and its health.
import { connectorBaseOperations as base, HealthDto, lackedEndpoints, type InfoResponse } from '@signetry/contract';
import { expect, type Session } from '../session.ts';

/** The declared function groups; the rest of the run is about them. */
export async function checkInfo(session: Session): Promise<readonly InfoResponse[]> {
  const info = await session.check({}, 'declares its function groups and their kinds', async () => {
    const groups = await session.ask(base.listSupportedFunctions);
    const codes = groups.map(({ functionGroupCode }) => functionGroupCode);
    expect(groups.length > 0, 'There is none.', 'at least one function group');
    expect(new Set(codes).size === codes.length, 'A function group is named twice.', 'each function group once');
    const without = groups.find(({ kinds }) => kinds.length === 0 || kinds.some((kind) => kind.trim() === ''));
    expect(!without, `The function group ${without?.functionGroupCode} has no kind, or one without a name.`, 'kinds');
    return groups;
  });
  for (const { functionGroupCode: group, endPoints } of info ?? []) {
    await session.check({ group }, 'declares every endpoint that the function group demands', async () => {
      const lacked = lackedEndpoints(group, endPoints).map(
        ({ name, method, context }) => `${name} (${method} ${context})`,
      );
      expect(lacked.length === 0, `It lacks ${lacked.join(', ')}.`, 'all of them, by name, method and context');
    });
  }
  return info ?? [];
}

export async function checkHealth(session: Session): Promise<void> {
  await session.check({}, 'tells its health, and that of its parts', async () => {
    const health = HealthDto.parse(await session.ask(base.checkHealth));
    expect(
      health.status !== 'nok',
      `It is not well: ${session.secrets.hide(reasonsOf(health).join('; '))}`,
      'the status ok',
    );
  });
}

const reasonsOf = ({ description, parts = {} }: HealthDto): string[] => [
  ...(description === undefined ? [] : [description]),
  ...Object.values(parts).flatMap(reasonsOf),
];
