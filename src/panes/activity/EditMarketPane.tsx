import { useMemo } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { AreaPicker } from '../shared/AreaPicker.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { AreaMap } from './AreaMap.tsx'
import type { Target } from './audienceFields.ts'
import { OfTarget, TargetLine, type TargetRecord, useTargetForm } from './TargetForm.tsx'

interface MarketDraft {
  location_based: string
  targeted_locations: string[]
}
const LABELS = { location_based: 'Location based', targeted_locations: 'Market areas' } as const
/** Uses the API call's own schema. */
export const MARKET_RULES: FormRules<MarketDraft> = {
  schema: async () => (await import('../../../contract/target.ts')).MarketForm,
}
const draftOf = (target: Pick<Target, 'location_based' | 'targeted_locations'> | null): MarketDraft => ({
  location_based: target?.location_based ?? 'no',
  targeted_locations: (target?.targeted_locations ?? '').split(',').filter(Boolean),
})

/** Edits where an activity is fielded; the project ID in the address is ignored. */
export default function EditMarketPane({ params }: PaneProps) {
  return (
    <OfTarget id={Number(params.id)}>
      {(record) => <MarketEditor record={record} otherProject={Number(params.project_id) !== record.activity.project_id} />}
    </OfTarget>
  )
}

/** `otherProject` is true if the address names another project. */
function MarketEditor({ record, otherProject }: { record: TargetRecord; otherProject: boolean }) {
  const { activity, target, completes } = record
  const dmas = useCall('dma.list', {})
  const nameOf = (code: string) => dmas.data?.dmas.find((dma) => String(dma.dma_code) === code)?.dma_name ?? code
  const { form, running } = useTargetForm<MarketDraft>(record, {
    form: 'market.edit',
    labels: LABELS,
    rules: MARKET_RULES,
    noun: 'market',
    tab: 'market',
    title: 'Market Updated',
    draftOf,
    shown: (field, value) =>
      field === 'location_based' ? (value === 'yes' ? 'Yes' : 'No') : (value as string[]).map(nameOf).join(', ') || 'None',
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
        <h1 dir="auto" className="text-title">
          Market of {activity.name}
        </h1>
        <p className="text-muted">{activity.name} has no audience yet. Choose its audience first, then its market areas.</p>
        <CommandButton id="activity.editTarget" variant="primary" />
      </div>
    )
  return (
    <RecordForm
      form={form}
      wide
      title={`Market of ${activity.name}`}
      aside={
        <TargetLine record={record} tab="market">
          {otherProject && <span>This activity belongs to {codeOf('project', activity.project_id)}.</span>}
        </TargetLine>
      }
      actions={location_based === 'no' && <CommandButton id="market.invert" plain />}
      warnings={
        location_based === 'yes' && !activity.location_groups.length
          ? ['No location groups are linked to this activity yet. Link one, or participants won’t find a location.']
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
                      { value: 'yes', label: 'Yes', hint: 'At the locations in its location groups.' },
                      { value: 'no', label: 'No', hint: 'By market area.' },
                    ]}
                  />
                )}
              </FormField>
              {location_based === 'no' && (
                <>
                  <div className="@lg:col-span-2">
                    <AreaMap areas={chosen} label="Selected market areas" />
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
