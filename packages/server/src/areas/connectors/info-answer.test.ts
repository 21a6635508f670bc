import { describe, expect, it } from 'vitest';
import { infoOf } from './testing/fake-connector.ts';
import { endPointsToShow, readFunctionGroups } from './info-answer.ts';

const problemsOf = (answer: Parameters<typeof readFunctionGroups>[0]): readonly string[] => {
  try {
    readFunctionGroups(answer);
    return [];
  } catch (error) {
    return (error as { parameters: { problems: string[] } }).parameters.problems; // it is a refusal by rules
  }
};

describe('what a connector says about itself', () => {
  it('is accepted with all required endpoints', () => {
    expect(readFunctionGroups([infoOf('authorityProvider', ['A', 'B'], ['idempotency'])])).toMatchObject([
      { code: 'authorityProvider', kinds: ['A', 'B'], features: ['idempotency'] },
    ]);
  });

  it('may leave out optional endpoints and identifiers', () => {
    const info = infoOf('authorityProvider', ['A']);
    const endPoints = info.endPoints
      .filter(({ required }) => required)
      .map(({ name, context, method }) => ({ name, context, method }));
    const [group] = readFunctionGroups([{ ...info, endPoints }]);
    expect(group?.endPoints).toHaveLength(14);
    expect(group && endPointsToShow(group).every(({ uuid }) => uuid !== '')).toBe(true);
  });

  it('is refused for each missing required endpoint, compared by name, method and context', () => {
    const info = infoOf('credentialProvider', ['A']);
    const changed = info.endPoints.map((endpoint) =>
      endpoint.name === 'listAttributeDefinitions'
        ? { ...endpoint, context: endpoint.context.replace('{kind}', '{name}') }
        : endpoint,
    );
    expect(problemsOf([{ ...info, endPoints: changed }])).toEqual([
      'The function group credentialProvider needs the endpoint listAttributeDefinitions (GET /v1/credentialProvider/{kind}/attributes), which the connector does not offer.',
    ]);
    expect(problemsOf([{ ...info, endPoints: [] }])).toHaveLength(2);
  });

  it('is refused for groups that do not exist, that are named twice, and for none at all', () => {
    expect(problemsOf([{ functionGroupCode: 'coffeeProvider', kinds: [] }])).toEqual([
      'The function group coffeeProvider does not exist.',
    ]);
    const info = infoOf('credentialProvider', ['A']);
    expect(problemsOf([info, info])).toEqual(['The connector names a function group twice.']);
    expect(problemsOf([])).toEqual(['The connector names no function group.']);
  });
});
