import { useCall } from '../../data/useCall.ts'
import { Mark } from '../../ui/Pill.tsx'
import { EDIT_LABELS, type EditField, type Project } from './edit.ts'

/** Warns above a form with unsaved changes: who changed the record, which fields, and what saving will do. */
export function ConcurrentEdit({
  project,
  fields,
  both,
}: {
  project: Project
  fields: readonly EditField[]
  /** Changed on both sides: saving asks which to keep. */
  both: readonly EditField[]
}) {
  const { data } = useCall('project.history', { id: project.id, filter: 'all', page: 1, per_page: 1 })
  const who = data?.data[0]?.who ?? 'Somebody'
  const alone = fields.filter((field) => !both.includes(field))
  return (
    <div role="status" className="mt-5 flex items-baseline gap-2 rounded-md bg-amber-wash px-3 py-2 text-amber-ink">
      <Mark shape="triangle" />
      <p>
        {fields.length ? `${who} changed ${listed(fields)} in the meantime.` : `${who} changed this project in the meantime.`}{' '}
        {both.length > 0 && `You changed ${listed(both)} too: you choose when you save. `}
        {alone.length > 0 && !both.length && 'The change already shows here. '}
        Nothing you typed is lost.
      </p>
    </div>
  )
}

const listed = (fields: readonly EditField[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(fields.map((field) => EDIT_LABELS[field]))
