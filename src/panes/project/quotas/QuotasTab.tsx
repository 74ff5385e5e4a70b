import { useMemo } from 'react'
import { count, counted, percent } from '../../../../contract/format.ts'
import type { Quota } from '../../../../contract/quota.ts'
import { whyNotFilled } from '../../../../contract/quotaWhy.ts'
import type { Subject } from '../../../commands/subject.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { moment } from '../../../data/format.ts'
import { useCall } from '../../../data/useCall.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { Decisions } from './Decisions.tsx'
import { QuotaGrid } from './QuotaGrid.tsx'
import { sectionsOf } from './quotaLines.ts'
import { planSubject, useQuotaCursor } from './useQuotaCursor.ts'

const STATES: Readonly<Record<string, { label: string; tone: 'grey' | 'green' | 'blue' }>> = {
  draft: { label: 'Draft', tone: 'grey' },
  live: { label: 'Live', tone: 'green' },
  ended: { label: 'Ended', tone: 'blue' },
}
/** What arrivals met changes with each of them; it is read at most this often (ms). */
const ARRIVALS = { every: 10_000, held: false }

/** The quota plans of a project's surveys: their cells, why they don't fill, and who was decided how. */
export function QuotasTab({ project, subject }: { project: { id: number; surveys: readonly unknown[] }; subject: Subject }) {
  const { query, setQuery } = usePane()
  const plans = useCall('quota.plans', { id: project.id }, { fresh: true })
  const lines = plans.data?.data
  const wanted = Number(query.plan)
  const survey = Number(query.survey)
  const chosen =
    lines?.find(({ id }) => id === wanted) ??
    lines?.find(({ survey_id }) => survey_id === survey) ??
    lines?.find(({ state }) => state === 'live') ??
    lines?.[0]
  const answer = useCall('quota.get', chosen ? { id: chosen.id } : null, { fresh: true })
  const plan = answer.data?.data
  return (
    <section aria-label="Quotas" className="@container px-4 pt-3 pb-6">
      <AnswerState
        answer={plans}
        what="The quota plans"
        rows={6}
        empty={
          project.surveys.length ? (
            <EmptyState action={<CommandButton id="quota.fill" subjects={[subject]} variant="primary" />}>
              No quotas: nobody is turned away, and completes are only counted.
            </EmptyState>
          ) : (
            <EmptyState action={<CommandButton id="activity.create" variant="primary" />}>
              Quotas belong to a survey, and this project has none yet.
            </EmptyState>
          )
        }
      />
      {lines && lines.length > 0 && (lines.length > 1 || project.surveys.length > 1) && (
        <div className="flex flex-wrap gap-1.5 pb-2">
          {lines.map((line) => (
            <Chip
              key={line.id}
              data-view=""
              on={line.id === chosen?.id}
              aria-pressed={line.id === chosen?.id}
              label={line.survey_name}
              value={`${STATES[line.state]?.label ?? line.state} · ${count(line.completes)} of ${count(line.total)}`}
              onClick={() => setQuery({ plan: line.id, survey: null, cell: null, decisions: null })}
            />
          ))}
        </div>
      )}
      {chosen && !plan && <AnswerState answer={answer} what="The quota plan" rows={8} />}
      {plan && <Plan key={plan.id} plan={plan} project={subject} />}
    </section>
  )
}

function Plan({ plan, project }: { plan: Quota; project: Subject }) {
  const { query, setQuery } = usePane()
  const sections = useMemo(() => sectionsOf(plan), [plan])
  const toggle = (cell: number) => setQuery({ decisions: Number(query.decisions) === cell ? null : cell, page: null })
  const cursor = useQuotaCursor(plan, sections, toggle)
  const arrivals = useCall('quota.arrivals', plan.state === 'live' ? { id: plan.id } : null, { paced: ARRIVALS })
  const cells = [plan.all, ...plan.dimensions.flatMap((dimension) => dimension.cells)]
  const here = cells.find(({ id }) => id === cursor.at) ?? plan.all
  const shown = query.decisions === undefined ? undefined : (cells.find(({ id }) => id === Number(query.decisions)) ?? plan.all)
  const own = planSubject(plan)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Pill tone={STATES[plan.state]?.tone ?? 'grey'}>{STATES[plan.state]?.label}</Pill>
        <p className="min-w-0 flex-1 basis-64 text-meta text-muted">{factsOf(plan)}</p>
        <span className="flex flex-wrap gap-1.5">
          {plan.state !== 'ended' && (
            <CommandButton id="quota.edit" subjects={[own]} variant="ghost">
              Settings…
            </CommandButton>
          )}
          <CommandButton id="quota.fill" subjects={[project]} variant="ghost" />
          {plan.state === 'draft' && <CommandButton id="quota.live" subjects={[own]} variant="primary" />}
          {plan.state === 'live' && <CommandButton id="quota.end" subjects={[own]} variant="ghost" />}
        </span>
      </div>
      <QuotaGrid {...{ plan, cursor, sections }} />
      <p
        data-why=""
        className="sticky bottom-0 z-20 mt-3 flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 border-t border-line bg-surface py-1 short:static"
      >
        <span aria-live="polite" aria-atomic="true" className="min-w-0 flex-1 basis-72">
          <b className="font-medium">
            <bdi>{here.name || 'Total'}</bdi>:
          </b>{' '}
          <span>{whyNotFilled(here, plan, arrivals.data?.data)}</span>
        </span>
        {plan.state !== 'ended' && (
          <span className="flex flex-wrap gap-1.5">
            <CommandButton id="quota.setTarget" subjects={[cursor.cursor]} variant="ghost" />
            {cursor.cursor.kind === 'quotaCell' && <CommandButton id="quota.move" subjects={[cursor.cursor]} variant="ghost" />}
            <CommandButton id="quota.close" subjects={[cursor.cursor]} variant="ghost">
              {here.closed ? 'Reopen cell' : 'Close cell'}
            </CommandButton>
          </span>
        )}
      </p>
      {shown && <Decisions plan={plan} cell={shown} />}
    </>
  )
}

/** A plan's settings and what came beyond it. */
function factsOf(plan: Quota): string {
  const { overage_percent, hold_minutes, silent_minutes, unknown, beyond, live_at, ended_at } = plan
  const past = beyond ? [`${counted(beyond, 'complete')} beyond it`] : []
  if (ended_at) return [...(live_at ? [`Live since ${moment(live_at)}`] : []), `ended ${moment(ended_at)}`, ...past].join(' · ')
  return [
    live_at ? `Live since ${moment(live_at)}` : 'Nobody is refused before it is live',
    overage_percent ? `${percent(overage_percent)} overage` : 'never above the target',
    `places are held for ${counted(hold_minutes ?? 0, 'minute')}, ${count(silent_minutes ?? 0)} after a last heartbeat`,
    unknown === 'admit' ? 'unknown people are admitted' : 'unknown people are refused',
    ...past,
  ].join(' · ')
}
