import { useMemo } from 'react'
import { codeOf } from '../../../contract/nounOf.ts'
import { marketFields } from '../../../contract/targetFields.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { AreaPicker } from '../shared/AreaPicker.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { AreaMap } from './AreaMap.tsx'
import { OfTarget, TargetLine, type TargetRecord, useTargetForm } from './TargetForm.tsx'

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
  const { form, running } = useTargetForm(record, {
    form: 'market.edit',
    fields: marketFields,
    noun: 'market',
    tab: 'market',
    title: 'Market Updated',
    shown: (field, value) =>
      field === 'targeted_locations' ? (value as readonly string[]).map(nameOf).join(', ') || 'None' : undefined,
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
        <h1 dir="auto" className="text-head">
          Market of {activity.name}
        </h1>
        <p className="text-muted">{activity.name} has no audience yet. Choose its audience first, then its market areas.</p>
        <CommandButton id="activity.editTarget" variant="primary" />
      </div>
    )
  return (
    <FieldForm
      form={form}
      fields={marketFields}
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
        },
      ]}
      needs={['location_based']}
      controls={{
        targeted_locations: ({ value, onChange }) => (
          <div className="flex flex-col gap-3">
            <AreaMap areas={chosen} label="Selected market areas" />
            <AreaPicker read={dmas} value={value} onChange={onChange} completes={byArea} />
          </div>
        ),
      }}
    >
      <RunningProject running={running} change={form.dirty ? form.values : null} />
    </FieldForm>
  )
}
