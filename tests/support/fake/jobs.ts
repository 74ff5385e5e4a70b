import type { Output } from '../../../contract/calls.ts'

type Job = Output<'job.get'>['data']

/** A job that somebody just started. */
export const jobOf = (me: { id: number; name: string }, kind: string, id = 1): Job => ({
  ...{ id, kind: 'export', title: kind, status: 'queued', done: 0, total: 0, error: '', result: {}, download: null },
  ...{ created_by: me.id, created_by_name: me.name, created_at: '2026-03-28T16:00:00.000Z' },
  ...{ not_before: '2026-03-28T16:00:00.000Z', started_at: null, ended_at: null, cancellable: true, retryable: false },
  ...{ allowed_actions: [], refused_actions: {} },
})

/** The same once its file is ready. */
export const doneJob = (me: { id: number; name: string }, id: number): Job => ({
  ...jobOf(me, 'export', id),
  ...{ status: 'done', ended_at: '2026-03-28T16:00:01.000Z', result: { file_id: 9, file_name: `export-${id}.csv` } },
})
