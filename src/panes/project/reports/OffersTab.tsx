import { useState } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { counted, dollars } from '../../../../contract/format.ts'
import type { Subject } from '../../../commands/subject.ts'
import { ListScreen } from '../../../list/ListScreen.tsx'
import { columnsOf, type Looks, Name, type RowOf } from '../../../list/nounColumns.tsx'
import { useNounList } from '../../../list/useNounList.ts'
import { href } from '../../../routing/routes.ts'
import { Mark } from '../../../ui/Pill.tsx'
import { PaneLink } from '../../../workspace/PaneLink.tsx'

type Offer = RowOf<'offer'>

const STATUS: Looks<Offer['status']> = {
  running: ['green'],
  scheduled: ['blue', 'ring'],
  paused: ['amber', 'pause'],
  ended: ['grey', 'tick'],
}
const CHANNEL: Looks<Offer['channel']> = { facebook: ['blue'], fulcrum: ['grey', 'dot'] }
const NAMES = { facebook: 'Facebook', fulcrum: 'Fulcrum' } as const

const columns = columnsOf('offer', {
  name: { min: 200, flex: 3, priority: 9, render: ({ name }) => <Name>{name}</Name> },
  channel: { width: 112, priority: 7, narrow: 'meta', looks: CHANNEL },
  amount_cents: { width: 104, priority: 8, narrow: 'aside' },
  starts: { width: 104, priority: 6, narrow: 'meta' },
  ends: { width: 104, priority: 5, narrow: 'hidden' },
  status: { width: 112, priority: 8, narrow: 'meta', looks: STATUS },
  id: { width: 88, priority: 2, narrow: 'hidden' },
})
const FILTERS = { status: 'all', channel: 'all' }
const CHOICES = [
  {
    name: 'status',
    label: 'Status',
    options: [
      { value: 'all', label: 'all' },
      { value: 'running', label: 'Running' },
      { value: 'scheduled', label: 'Scheduled' },
      { value: 'paused', label: 'Paused' },
      { value: 'ended', label: 'Ended' },
    ],
  },
  {
    name: 'channel',
    label: 'Channel',
    options: [
      { value: 'all', label: 'all' },
      { value: 'facebook', label: 'Facebook' },
      { value: 'fulcrum', label: 'Fulcrum' },
    ],
  },
]
const subjectOf = (offer: Offer): Subject => ({
  kind: 'offer',
  id: offer.id,
  name: offer.name,
  allowed_actions: offer.allowed_actions,
  refused_actions: offer.refused_actions,
  record: offer,
})

/** Lists what channels offer a project's respondents; read-only (screens-projects.md, Offers). */
export function OffersTab({ project }: { project: { id: number } }) {
  const [answer, setAnswer] = useState<Output<'offer.list'> | null>(null)
  const list = useNounList('offer', {
    filters: FILTERS,
    where: ({ status, channel }) => ({ id: project.id, status: status as 'all', channel: channel as 'all' }),
  })
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {answer?.disabled.length ? (
        <p
          role="status"
          className="mx-4 mt-3 flex flex-wrap items-baseline gap-2 rounded-md bg-amber-wash px-3 py-2 text-amber-ink"
        >
          <Mark shape="triangle" />
          {answer.disabled.map((channel) => NAMES[channel]).join(' and ')} {answer.disabled.length === 1 ? 'is' : 'are'} disabled
          for this project.
          <PaneLink className="underline underline-offset-2" to={href('project', { id: project.id }, { tab: 'audience' })}>
            Open Audience
          </PaneLink>
        </p>
      ) : null}
      <ListScreen
        {...list}
        title="Offers"
        columns={columns}
        subjectOf={subjectOf}
        filters={CHOICES}
        actions={['list.export']}
        onAnswer={setAnswer as (answer: never) => void}
        empty={{
          sentence: 'No offers for this project. Channels offer respondents once they are enabled.',
          next: (
            <PaneLink to={href('project', { id: project.id }, { tab: 'audience' })} className="text-accent-ink underline">
              Open Audience
            </PaneLink>
          ),
        }}
        embedded
      />
      {answer && answer.count > 0 && (
        <p className="shrink-0 border-t border-line px-4 py-2 text-meta text-muted tabular-nums">
          {counted(answer.running, 'running offer')}
          {answer.average_cents === null ? '' : `, ${dollars(answer.average_cents)} on average`}
        </p>
      )}
    </div>
  )
}
