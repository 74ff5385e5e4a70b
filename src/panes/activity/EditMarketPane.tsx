import { useCallback, useMemo } from 'react'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordTrouble } from '../shared/RecordTrouble.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { AreaMap } from './AreaMap.tsx'
import { AreaPicker } from './AreaPicker.tsx'
import { type Activity, activitySubject } from './activity.ts'
import type { Target, TargetCompletes } from './audience.ts'

interface MarketDraft {
  location_based: string
  targeted_locations: string[]
}
const LABELS = { location_based: 'Location based', targeted_locations: 'Market areas' } as const
const RULES: FormRules<MarketDraft> = {
  schema: async () => (await import('../../../contract/target.ts')).MarketForm,
}
const draftOf = (target: Pick<Target, 'location_based' | 'targeted_locations'> | null): MarketDraft => ({
  location_based: target?.location_based ?? 'no',
  targeted_locations: (target?.targeted_locations ?? '').split(',').filter(Boolean),
})

/** Edits where an activity is fielded; the activity alone decides, whatever project the address names. */
export default function EditMarketPane({ params }: PaneProps) {
  const id = Number(params.id)
  const answer = useCall('activity.get', { id }, { fresh: true })
  const target = useCall('activity.target', { id }, { fresh: true })
  const completes = useCall('target.completes', { id }, { fresh: true })
  const activity = answer.data?.data
  const subject = useMemo(() => (activity ? activitySubject(activity) : null), [activity])
  usePaneSubject(subject)
  const failed = !activity ? answer.error : !target.data ? target.error : undefined
  if (failed)
    return (
      <RecordTrouble
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
  if (!activity || !target.data) return <Skeleton rows={10} />
  return (
    <MarketEditor
      activity={activity}
      target={target.data.data}
      completes={completes.data?.data}
      strayed={Number(params.project_id) !== activity.project_id}
    />
  )
}

function MarketEditor({
  activity,
  target,
  completes,
  strayed,
}: {
  activity: Activity
  target: Target | null
  completes: TargetCompletes | undefined
  /** The address names another project. */
  strayed: boolean
}) {
  const { id } = activity
  const dmas = useCall('dma.list', {})
  const effects = useCallback(
    async (change: MarketDraft) => (await api.write('target.check', { activity_id: id, ...change } as never)).data.effects,
    [id],
  )
  const running = useRunningProject<MarketDraft>(activity.project_id, effects)
  const initial = useMemo(() => draftOf(target), [target])
  const nameOf = (code: string) => dmas.data?.dmas.find((dma) => String(dma.dma_code) === code)?.dma_name ?? code
  const form = useRecordForm<MarketDraft>({
    form: 'market.edit',
    record: id,
    initial,
    lock: target?.version ?? 0,
    labels: LABELS,
    rules: RULES,
    noun: 'market',
    review: (values) => running.review(values),
    theirs: (record) => draftOf(record as unknown as Target),
    shown: (field, value) =>
      field === 'location_based' ? (value === 'yes' ? 'Yes' : 'No') : (value as string[]).map(nameOf).join(', ') || 'None',
    async save({ patch, lock, attempt }) {
      const { data } = await api.write('target.edit', { activity_id: id, version: lock, ...patch }, { attempt })
      return {
        title: 'Market Updated',
        name: activity.name,
        leads: href('activity', { id }, { tab: 'market' }),
        lock: data.version,
      }
    },
  })
  const { location_based, targeted_locations } = form.values
  const byArea = useMemo(
    () => (completes ? new Map(completes.areas.map((area) => [area.id, area.completes])) : undefined),
    [completes],
  )
  const chosen = useMemo(() => {
    const set = new Set(targeted_locations)
    return (dmas.data?.dmas ?? []).filter((dma) => set.has(String(dma.dma_code)))
  }, [dmas.data, targeted_locations])
  if (!target)
    return (
      <div className="flex flex-col items-start gap-3 px-4 py-6">
        <p className="text-muted">
          {activity.name} has no audience yet. Choose whom it is aimed at first; then its market areas.
        </p>
        <CommandButton id="activity.editTarget" variant="primary" />
      </div>
    )
  return (
    <RecordForm
      form={form}
      wide
      title={`Market of ${activity.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('activity', id)}</span>
          <span>Version {target.version}</span>
          {completes && <span>{count(completes.completes)} completes so far</span>}
          <PaneLink to={href('activity', { id }, { tab: 'market' })} className="text-accent-ink hover:underline">
            Target market
          </PaneLink>
          {strayed && <span>This activity belongs to {codeOf('project', activity.project_id)}.</span>}
        </p>
      }
      actions={location_based === 'no' && <CommandButton id="market.invert" plain />}
      warnings={
        location_based === 'yes' && !activity.location_groups.length
          ? ['No location group is linked to this activity yet. Link one, or nobody finds a place.']
          : []
      }
      sections={[
        {
          id: 'where',
          title: 'Where',
          fields: ['location_based', 'targeted_locations'],
          children: (
            <>
              <FormField control={form.control} name="location_based" label={LABELS.location_based} group wide required>
                {({ value, onChange }) => (
                  <RadioGroup
                    value={value as 'yes' | 'no' | ''}
                    onChange={onChange}
                    options={[
                      { value: 'yes', label: 'Yes', hint: 'At the places of its location groups.' },
                      { value: 'no', label: 'No', hint: 'By market area.' },
                    ]}
                  />
                )}
              </FormField>
              {location_based === 'no' && (
                <>
                  <div className="@lg:col-span-2">
                    <AreaMap areas={chosen} label="Chosen market areas" />
                  </div>
                  <FormField
                    control={form.control}
                    name="targeted_locations"
                    label={LABELS.targeted_locations}
                    group
                    wide
                    required
                  >
                    {({ value, onChange }) => <AreaPicker read={dmas} value={value} onChange={onChange} completes={byArea} />}
                  </FormField>
                </>
              )}
            </>
          ),
        },
      ]}
    >
      <RunningProject running={running} change={form.dirty ? form.values : null} />
    </RecordForm>
  )
}
