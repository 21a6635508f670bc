// Search fields of scheduled jobs, for conditions. `j` is the job.
import { sql } from 'kysely';
import { column } from '../../platform/database/filter/reading.ts';
import { evaluatedObjects } from '../../platform/database/filter/read-values.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';

const jobFields = sqlFields('jobs', {
  SCHEDULED_JOB_NAME: column('j.name'),
  SCHEDULED_JOB_ONE_TIME: column('j.one_time'),
  SCHEDULED_JOB_SYSTEM: column('j.system'),
  SCHEDULED_JOB_CLASS_NAME: column('j.job_type'),
});

export const evaluatedJobs = evaluatedObjects(jobFields.lookup, {
  from: sql`scheduled_job AS j`,
  key: sql`j.uuid`,
  name: sql`j.name`,
});
