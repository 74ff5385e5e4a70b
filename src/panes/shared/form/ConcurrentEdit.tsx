import { Mark } from '../../../ui/Pill.tsx'

/** Warns, above a form with unsaved changes, that someone changed the record, and what saving will do. */
export function ConcurrentEdit({
  who,
  what,
  fields,
  both,
}: {
  who: string
  /** The noun: "project", "activity". */
  what: string
  /** Labels of the fields they changed. */
  fields: readonly string[]
  /** Labels of fields changed on both sides; saving asks which to keep. */
  both: readonly string[]
}) {
  const alone = fields.filter((field) => !both.includes(field))
  return (
    <div role="status" className="mt-5 flex items-baseline gap-2 rounded-md bg-amber-wash px-3 py-2 text-amber-ink">
      <Mark shape="triangle" />
      <p>
        {fields.length ? `${who} changed ${listed(fields)} in the meantime.` : `${who} changed this ${what} in the meantime.`}{' '}
        {both.length > 0 && `You changed ${listed(both)} too. You can choose which to keep when you save. `}
        {alone.length > 0 && !both.length && 'The change already shows here. '}
        Nothing you typed is lost.
      </p>
    </div>
  )
}

const listed = (labels: readonly string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(labels)
