// Queries for trigger evaluations and their outcomes, and for simulated evaluations.
import type { WorkflowEvaluationsDto, WorkflowTrialDto, WorkflowTrialRequestDto } from '@signetry/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { WORKFLOWS_KEY } from './workflows.ts';

const EVALUATIONS_PER_PAGE = 10;
const POLL_MS = 2_000;

/**
 * Selects the evaluations of one trigger, of one object, or of the triggers assigned to an RA profile, group or
 * discovery.
 */
export interface EvaluationChoice {
  readonly triggerUuid?: string;
  readonly objectUuid?: string;
  readonly associationObjectUuid?: string;
}

export interface EvaluationSearch extends EvaluationChoice {
  readonly matched?: boolean;
  readonly page: number;
}

/** Polled while steps are pending. */
export const evaluationsQuery = ({ page, matched = false, ...choice }: EvaluationSearch) =>
  queryOptions({
    queryKey: [...WORKFLOWS_KEY, 'evaluations', choice, matched, page],
    queryFn: ({ signal }) =>
      api.workflowEvaluations.listWorkflowEvaluations(
        {
          query: {
            ...choice,
            ...(matched && { matched: 'true' }),
            pageNumber: page,
            itemsPerPage: EVALUATIONS_PER_PAGE,
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data && hasWaitingSteps(data) ? POLL_MS : false),
  });

const hasWaitingSteps = ({ evaluations }: WorkflowEvaluationsDto): boolean =>
  evaluations.some(({ triggers }) => triggers.some(({ steps }) => steps.some(({ state }) => state === 'waiting')));

export const evaluationQuery = (evaluationUuid: string) =>
  queryOptions({
    queryKey: [...WORKFLOWS_KEY, 'evaluations', 'one', evaluationUuid],
    queryFn: ({ signal }) => api.workflowEvaluations.getWorkflowEvaluation({ params: { evaluationUuid } }, { signal }),
  });

export const trialQuery = (body: WorkflowTrialRequestDto) =>
  queryOptions({
    queryKey: [...WORKFLOWS_KEY, 'trial', body],
    queryFn: ({ signal }): Promise<WorkflowTrialDto> => api.workflowTrials.tryWorkflow({ body }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
