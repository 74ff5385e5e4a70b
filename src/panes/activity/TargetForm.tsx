import { type ReactNode, useCallback, useMemo } from 'react'
import type { Input } from '../../../contract/calls.ts'
import {
  type Fields,
  faultsOf,
  inputOf,
  labelsOf,
  type Texts,
  textsOf,
  type ValuesOf,
  wordsOf,
} from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import type { RecordFormOptions } from '../shared/form/useRecordForm.ts'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { type Activity, activitySubject } from './activitySubject.ts'
import type { Target, TargetCompletes } from './audienceFields.ts'

/* Shared by the audience and market forms: both write parts of one target, whose version is the lock. */

/** An activity with its target and its completes so far. */
export interface TargetRecord {
  activity: Activity
  /** Null before the first audience is saved. */
  target: Target | null
  /** Undefined while it loads. */
  completes: TargetCompletes | undefined
}

/** Loads what the target forms need and renders them, or the error. */
export function OfTarget({ id, children }: { id: number; children: (record: TargetRecord) => ReactNode }) {
  const answer = useCall('activity.get', { id }, { fresh: true })
  const target = useCall('activity.target', { id }, { fresh: true })
  const completes = useCall('target.completes', { id }, { fresh: true })
  const activity = answer.data?.data
  const subject = useMemo(() => (activity ? activitySubject(activity) : null), [activity])
  usePaneSubject(subject)
  const failed = !activity ? answer.error : !target.data ? target.error : undefined
  if (failed)
    return (
      <RecordError
        error={failed}
        retry={() => {
          answer.retry()
          target.retry()
        }}
        what={`Activity ${id}`}
        home={href('activities')}
        homeTitle="all activities"
      />
    )
  if (!activity || !target.data) return <FormSkeleton />
  return children({ activity, target: target.data.data, completes: completes.data?.data })
}

/** Options that differ between the two forms. */
type Own<F extends Fields> = Pick<RecordFormOptions<ValuesOf<F> & Texts>, 'form' | 'noun'> & {
  fields: F
  /** A value in words, where its kind has none. */
  shown?: (field: string, value: unknown) => string | undefined
  /** The tab that OK opens. */
  tab: 'target' | 'market'
  /** Replaces the API's message after saving. */
  title?: string
}

/** A target form's state: saves changed fields only, and asks first what they do to a project in field. */
export function useTargetForm<F extends Fields>({ activity, target }: TargetRecord, own: Own<F>) {
  type V = ValuesOf<F> & Texts
  const { id } = activity
  const { fields, shown, tab, title, ...options } = own
  const effects = useCallback(
    async (change: V) => {
      const input: Input<'target.check'> = { activity_id: id, ...inputOf(fields, change) }
      return (await api.write('target.check', input)).data.effects
    },
    [id, fields],
  )
  const running = useRunningProject<V>(activity.project_id, effects)
  const initial = useMemo(() => textsOf(fields, target ?? undefined) as V, [fields, target])
  const form = useRecordForm<V>({
    ...options,
    labels: labelsOf(fields),
    rules: useMemo(() => ({ input: (values) => inputOf(fields, values), also: (values) => faultsOf(fields, values) }), [fields]),
    shown: (field, value) => shown?.(field, value) ?? wordsOf(fields[field]!, value),
    record: id,
    initial,
    lock: target?.version,
    review: (values) => running.review(values),
    theirs: (record) => textsOf(fields, record) as V,
    async save({ input, patch, lock, attempt }) {
      const { data, message } =
        lock === undefined
          ? await api.write('target.create', { activity_id: id, ...input } as Input<'target.create'>, { attempt })
          : await api.write('target.edit', { activity_id: id, version: lock, ...patch }, { attempt })
      return { title: title ?? message, name: activity.name, leads: href('activity', { id }, { tab }), lock: data.version }
    },
  })
  return { form, running }
}

/** The line below the form's title: the target's version and its completes so far. */
export function TargetLine({
  record: { activity, target, completes },
  tab,
  children,
}: {
  record: TargetRecord
  tab: 'target' | 'market'
  children?: ReactNode
}) {
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
      <span className="font-mono">{codeOf('activity', activity.id)}</span>
      <span>{target ? `Version ${target.version}` : 'No audience yet'}</span>
      {completes && <span>{count(completes.completes)} completes so far</span>}
      <PaneLink to={href('activity', { id: activity.id }, { tab })} className="text-accent-ink hover:underline">
        {tab === 'target' ? 'Target audience' : 'Target market'}
      </PaneLink>
      {children}
    </p>
  )
}
