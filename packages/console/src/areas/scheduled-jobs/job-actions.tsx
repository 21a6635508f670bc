// Scheduled job actions.
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { IconPencil, IconPlayerPlay } from '@tabler/icons-react';
import { api } from '../../api/client.ts';
import { Actions } from '../../kit/actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { paths } from '../../kit/paths.ts';
import { removeAction, switchAction } from '../../kit/common-actions.tsx';
import { jobQuery, type NamedJob } from '../../queries/scheduled-jobs.ts';
import { expressionOf, readExpression } from './forms.ts';
import { ScheduleFields } from './schedule-fields.tsx';

export function JobActions({ job }: { readonly job: NamedJob }) {
  const { uuid, name, enabled, running, system } = job;
  const params = { uuid };
  return (
    <Actions
      actions={[
        !running && {
          label: 'Run now',
          icon: IconPlayerPlay,
          isPrimary: true,
          needs: ['jobs', 'enable', uuid],
          run: () => api.scheduledJobRuns.runScheduledJob({ params }),
          done: `${name} was started.`,
          refresh: ['jobs'],
        },
        !system && {
          label: 'Edit schedule',
          icon: IconPencil,
          needs: ['jobs', 'enable', uuid],
          dialog: ({ opened, onClose }) => opened && <ScheduleDialog job={job} onClose={onClose} />,
        },
        switchAction({
          name,
          enabled,
          needs: ['jobs', 'enable', uuid],
          enable: () => api.scheduledJobs.enableScheduledJob({ params }),
          disable: () => api.scheduledJobs.disableScheduledJob({ params }),
          consequence: 'The job does not run until it is enabled again. A run in progress continues.',
          refresh: ['jobs'],
        }),
        !system &&
          !running &&
          removeAction({
            name,
            needs: ['jobs', 'delete', uuid],
            remove: () => api.scheduledJobs.deleteScheduledJob({ params }),
            consequence: 'The job no longer runs, and its history is deleted. Discoveries that it created are kept.',
            list: paths.scheduledJobs.list,
            queryKey: jobQuery(uuid).queryKey,
          }),
      ]}
    />
  );
}

function ScheduleDialog({ job, onClose }: { readonly job: NamedJob; readonly onClose: () => void }) {
  const [values, setValues] = useState(() => readExpression(job.cronExpression));
  const queries = useQueryClient();
  const cronExpression = expressionOf(values);
  return (
    <FormDialog
      title={`Schedule of ${job.name}`}
      submitLabel="Save"
      onClose={onClose}
      isReady={cronExpression !== ''}
      submit={async () => {
        await api.scheduledJobs.updateScheduledJob({ params: { uuid: job.uuid }, body: { cronExpression } });
        await queries.invalidateQueries({ queryKey: ['jobs'] });
      }}
    >
      <ScheduleFields values={values} onChange={setValues} />
    </FormDialog>
  );
}
