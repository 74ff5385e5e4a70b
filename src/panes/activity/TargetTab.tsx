import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count, showRounded } from '../../../contract/format.ts'
import { sharesOf } from '../../../contract/percentages.ts'
import { type Demographic, demographicFields } from '../../../contract/targetFields.ts'
import { FigureDifference, WordDifference } from '../../compare/FigureDifference.tsx'
import { AnswerState } from '../../data/AnswerState.tsx'
import { moment } from '../../data/format.ts'
import { type Answer, useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/States.tsx'
import { usePart } from '../../workspace/compareRole.ts'
import { usePane } from '../../workspace/pane.tsx'
import type { ActivityTabProps } from './activitySubject.ts'
import {
  isPresent,
  labelsOf,
  optionsOf,
  share,
  sharesBy,
  type Target,
  type TargetCompletes,
  type TargetVersion,
  targetFieldName,
} from './audienceFields.ts'
import { useGeneration } from './useGeneration.ts'

/** Shows an activity's audience, its completes by value, and earlier versions. */
export function TargetTab({ activity, subject }: ActivityTabProps) {
  const { query, setQuery } = usePane()
  const { id } = activity
  const generation = useGeneration(activity)
  const answer = useCall('activity.target', { id }, { fresh: true })
  const versions = useCall('target.versions', { id }, { fresh: true })
  const completes = useCall('target.completes', { id }, { fresh: true }).data?.data
  const dmas = useCall('dma.list', {}).data?.dmas
  const target = answer.data?.data
  const names = useMemo(() => new Map((dmas ?? []).map((dma) => [String(dma.dma_code), dma.dma_name])), [dmas])
  if (answer.data && !target)
    return (
      <EmptyState action={<CommandButton id="activity.editTarget" subjects={[subject]} variant="primary" />}>
        No audience yet. Everybody is eligible.
      </EmptyState>
    )
  const rows = versions.data?.data ?? []
  const current = rows[0]
  const earlier = rows.find(({ version }) => String(version) === query.version && version !== target?.version)
  return (
    <section aria-label="Target audience" className="max-w-5xl pt-3 pb-8">
      <AnswerState answer={answer} what="The audience" rows={8} />
      {target && (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pb-3">
            <p className="min-w-0 flex-1 basis-64 text-muted">
              <span className="font-medium text-ink">Version {target.version}</span>
              {current?.at && `, ${moment(current.at, 'day and year')}`}
              {current?.who && (
                <>
                  , by <bdi>{current.who}</bdi>
                </>
              )}
              {' · '}Location based: {target.location_based === 'yes' ? 'Yes' : 'No'}
              <WordDifference topic="location based" text={target.location_based === 'yes' ? 'Yes' : 'No'} />
            </p>
            <div className="flex flex-wrap gap-1.5">
              <CommandButton id="activity.editTarget" subjects={[subject]} />
              <CommandButton id="activity.copyTarget" subjects={[subject]} />
            </div>
          </div>
          {completes && completes.completes > 0 && (
            <p className="px-4 pb-3">
              {completes.outside
                ? `${count(completes.outside)} of ${count(completes.completes)} completes (${share(completes.outside, completes.completes)}) are outside the audience.`
                : `All ${count(completes.completes)} completes are inside the audience.`}
              <FigureDifference topic="outside the audience" value={completes.outside} />
            </p>
          )}
          <div className="divide-y divide-line border-y border-line">
            {(Object.keys(demographicFields) as Demographic[]).map((field) => (
              <GroupRow
                key={field}
                field={field}
                target={target}
                completes={completes}
                earlier={earlier}
                generation={generation}
              />
            ))}
          </div>
          <Versions
            answer={versions}
            shown={earlier?.version ?? null}
            subject={subject}
            generation={generation}
            nameOf={(code) => names.get(code) ?? code}
            onShow={(version) => setQuery({ version: version === null ? null : String(version) }, { push: true })}
          />
        </>
      )}
    </section>
  )
}

/** One audience group: its chosen values with completes by value. */
function GroupRow({
  field,
  target,
  completes,
  earlier,
  generation,
}: {
  field: Demographic
  generation: string
  target: Target
  completes: TargetCompletes | undefined
  earlier: TargetVersion | undefined
}) {
  const chosen = new Set(target[field].split(',').filter(Boolean))
  const any = chosen.size === 0
  const figures = completes?.groups[field]
  const whole = completes?.completes ?? 0
  const shares = sharesBy(figures ?? [], whole)
  const rows = optionsOf(field, generation, isPresent(chosen, figures))
    .map((option) => ({
      ...option,
      in: any || chosen.has(option.value),
      completes: figures?.find((row) => row.value === option.value)?.completes ?? 0,
    }))
    .filter((row) => row.in || row.completes > 0)
  const part = usePart()
  const lined = part?.is === 'baseline' || part?.is === 'compared'
  const before = earlier
    ? labelsOf(field, earlier[field].split(',').filter(Boolean), String, generation).join(', ') || 'Any'
    : null
  const now = labelsOf(field, [...chosen], String, generation).join(', ') || 'Any'
  return (
    <div
      data-anchor={`target ${field}`}
      className="grid grid-cols-1 gap-x-4 gap-y-1 px-4 py-2.5 @lg:grid-cols-[176px_minmax(0,1fr)]"
    >
      <h3 className="text-muted">
        {demographicFields[field].label}
        <WordDifference topic={`target ${field}`} text={now} />
      </h3>
      <div className="min-w-0">
        {lined && <Lined field={field} chosen={chosen} completes={completes} generation={generation} />}
        <ul className={lined ? 'hidden' : 'flex flex-wrap gap-1.5'}>
          {any && <li className="rounded-full bg-grey-wash px-2 text-meta leading-6 text-grey-ink">Any</li>}
          {rows
            .filter((row) => !any || row.completes > 0)
            .map((row) => (
              <li
                key={row.value}
                className={cx(
                  'rounded-full px-2 text-meta leading-6',
                  row.in ? 'bg-blue-wash text-blue-ink' : 'border border-dashed border-edge text-muted',
                )}
              >
                {row.label}
                {!row.in && <span className="sr-only">, outside the audience</span>}
                {figures && whole > 0 && (
                  <span className="ml-1.5 tabular-nums opacity-80">
                    {count(row.completes)} · {shares(row.value)}
                  </span>
                )}
              </li>
            ))}
        </ul>
        {before !== null && before !== now && (
          <p className="mt-1 text-meta text-muted">
            Version {earlier!.version}: {before}
          </p>
        )}
      </div>
    </div>
  )
}

/** All values of a group, one per line, so that compared activities line up. */
function Lined({
  field,
  chosen,
  completes,
  generation,
}: {
  field: Demographic
  generation: string
  chosen: ReadonlySet<string>
  completes: TargetCompletes | undefined
}) {
  const figures = completes?.groups[field]
  const whole = completes?.completes ?? 0
  const options = optionsOf(field, generation, isPresent(chosen, figures))
  const counts = options.map(({ value }) => figures?.find((row) => row.value === value)?.completes ?? 0)
  const shares = sharesOf(counts, whole, 0)
  return (
    <ul>
      {options.map(({ value, label }, at) => {
        const inside = chosen.size === 0 || chosen.has(value)
        const number = counts[at]!
        return (
          <li key={value} className={cx('flex h-7 items-center gap-2', !inside && 'text-faint')}>
            <span aria-hidden="true" className="w-4 shrink-0 text-center">
              {inside ? '✓' : ''}
            </span>
            <span className="min-w-0 flex-1 truncate">
              {label}
              {!inside && <span className="sr-only">, outside the audience</span>}
            </span>
            {figures && (
              <span className="shrink-0 text-meta tabular-nums">
                {count(number)} · {showRounded(shares[at]!, number, Math.max(1, whole))}
                <FigureDifference topic={`target ${field} ${value}`} value={whole ? shares[at]! : null} unit="points" />
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Versions({
  answer,
  shown,
  subject,
  generation,
  nameOf,
  onShow,
}: {
  answer: Answer<Output<'target.versions'>>
  shown: number | null
  subject: ActivityTabProps['subject']
  generation: string
  nameOf: (code: string) => string
  onShow: (version: number | null) => void
}) {
  const rows = answer.data?.data ?? []
  return (
    <>
      <div className="flex items-center justify-between gap-3 px-4 pt-5 pb-1">
        <h2 className="text-meta font-medium text-muted">Versions</h2>
        {rows.length > 1 && <CommandButton id="target.restore" subjects={[subject]} variant="ghost" />}
      </div>
      <AnswerState answer={answer} what="The versions" rows={2} />
      <ol className="divide-y divide-line border-y border-line">
        {rows.map((row, at) => (
          <li key={row.version} className="grid grid-cols-1 gap-x-4 px-4 py-2 @lg:grid-cols-[176px_minmax(0,1fr)_auto]">
            <p>
              <span className="font-medium">Version {row.version}</span>
              <span className="block text-meta text-muted">
                {row.at ? moment(row.at, 'day and year') : 'Date not recorded'}
                {row.who && `, ${row.who}`}
              </span>
            </p>
            <div className="min-w-0 text-muted">
              {row.reason && <p>“{row.reason}”</p>}
              {row.version === 1 && <p>First audience</p>}
              {row.changes.map((change) => (
                <p key={change.field}>
                  {targetFieldName(change.field)}: {listed('added', labelsOf(change.field, change.added, nameOf, generation))}
                  {change.added.length > 0 && change.removed.length > 0 && '; '}
                  {listed('removed', labelsOf(change.field, change.removed, nameOf, generation))}
                </p>
              ))}
            </div>
            {at > 0 && (
              <Button
                data-view=""
                variant="ghost"
                aria-pressed={shown === row.version}
                onClick={() => onShow(shown === row.version ? null : row.version)}
              >
                {shown === row.version ? 'Hide' : 'Show beside'}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}

/** Returns "added 18 to 24, 25 to 34"; after four labels, how many more there are. */
function listed(verb: string, labels: readonly string[]): string {
  if (!labels.length) return ''
  const more = labels.length > 4 ? ` and ${count(labels.length - 4)} more` : ''
  return `${verb} ${labels.slice(0, 4).join(', ')}${more}`
}
