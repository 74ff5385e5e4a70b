import type { ReactNode } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count, dollars } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { recordOf, type Subject } from '../../commands/subject.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import { showPhone } from '../../ui/PhoneInput.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { momentDay } from '../shared/momentDay.ts'
import { recordHref } from '../shared/projectSubject.ts'

type Answer = Output<'proffer.list'>['data']['proffers'][number]

/** The number of answers in a partner's details. */
const SHOWN = 10

/** Shows a partner's address and notes, its last ten answers, and a line chart of its CPI by round. */
export function PartnerAnswers({ partner }: { partner: Subject }) {
  const answer = useCall('proffer.list', { partner_id: partner.id, per_page: SHOWN }, { fresh: true })
  const answers = answer.data?.data.proffers ?? []
  const { email, phone, contact, notes } = recordOf(partner, 'partner')
  return (
    <aside
      aria-label="Last answers"
      className="h-[34%] shrink-0 overflow-y-auto border-t border-line"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      <header className="sticky top-0 flex flex-wrap items-center gap-x-4 gap-y-0.5 border-b border-line bg-ground px-4 py-2">
        <h2 dir="auto" className="min-w-0 truncate font-semibold">
          {partner.name}
        </h2>
        <p className="flex min-w-0 flex-wrap gap-x-3 text-meta text-muted">
          {contact && <span dir="auto">{contact}</span>}
          {email && (
            <a href={`mailto:${email}`} className="underline underline-offset-2 hover:text-ink">
              {email}
            </a>
          )}
          {phone && (
            <a href={`tel:+1${phone}`} className="tabular-nums underline underline-offset-2 hover:text-ink">
              {showPhone(phone)}
            </a>
          )}
        </p>
        <Prices answers={answers} />
      </header>
      {notes && <p className="px-4 pt-2 pb-1 text-meta whitespace-pre-wrap text-muted">{notes}</p>}
      <AnswerState answer={answer} what="The answers" rows={3} />
      {answer.data && !answers.length && <EmptyState className="items-start! px-4! py-4! text-left!">No answers yet.</EmptyState>}
      {answers.length > 0 && <Answers answers={answers} />}
    </aside>
  )
}

/** Charts the CPI of the listed answers, earliest first. */
function Prices({ answers }: { answers: readonly Answer[] }) {
  const prices = answers.flatMap(({ cpi_cents }) => cpi_cents ?? []).reverse()
  const [first] = prices
  const last = prices.at(-1)
  if (prices.length < 2 || first === undefined || last === undefined) return null
  return (
    <p className="ml-auto flex items-center gap-2 text-meta whitespace-nowrap text-muted tabular-nums">
      CPI {dollars(first)} → {dollars(last)}
      <Sparkline values={prices} label={`CPI of the last ${prices.length} answers: ${prices.map(dollars).join(', ')}`} />
    </p>
  )
}

const HEADS = ['Project', 'Round', 'Answer', 'Completes', 'CPI', 'Length', 'Field days', 'Answered'] as const
const RIGHT = new Set<string>(['Round', 'Completes', 'CPI', 'Length', 'Field days'])
/** Columns that a narrow list hides. */
const WIDE = new Set<string>(['Round', 'Length', 'Field days'])
const cell = (head: string) =>
  `${head === 'Project' ? 'w-full max-w-0 truncate' : 'whitespace-nowrap'} px-2 py-1 first:pl-4 last:pr-4 ${RIGHT.has(head) ? 'text-right tabular-nums' : 'text-left'} ${WIDE.has(head) ? '@max-3xl:hidden' : ''}`

function Answers({ answers }: { answers: readonly Answer[] }) {
  return (
    <table className="w-full table-auto">
      <thead className="text-meta text-muted">
        <tr>
          {HEADS.map((head) => (
            <th key={head} scope="col" className={`font-medium ${cell(head)}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {answers.map((one) => (
          <tr key={one.id} className="border-t border-line">
            {HEADS.map((head) => (
              <td key={head} className={cell(head)}>
                {shown[head](one)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const or = (value: number | null, show: (value: number) => string): ReactNode =>
  value === null ? <span className="text-faint">–</span> : show(value)
const shown: Record<(typeof HEADS)[number], (one: Answer) => ReactNode> = {
  Project: (one) => (
    <PaneLink to={recordHref(one.generation, one.project_id, 'approval')} className="hover:underline">
      <bdi>{one.project_name}</bdi>{' '}
      <span className="font-mono text-meta text-muted @max-3xl:hidden">{codeOf('project', one.project_id)}</span>
    </PaneLink>
  ),
  Round: (one) => one.round,
  Answer: ({ fill_requirements, reason }) =>
    fill_requirements === 'Yes' ? (
      <Pill tone="green" shape="tick">
        Yes
      </Pill>
    ) : (
      <span className="flex min-w-0 items-center gap-2">
        <Pill tone="red" shape="cross">
          No
        </Pill>
        <span className="max-w-72 truncate text-meta text-muted @max-3xl:hidden">{reason}</span>
      </span>
    ),
  Completes: (one) => or(one.feasible_completes, count),
  CPI: (one) => or(one.cpi_cents, dollars),
  Length: (one) => or(one.loi_minutes, (minutes) => `${minutes} min`),
  'Field days': (one) => or(one.field_days, count),
  Answered: (one) => <span className="whitespace-nowrap text-muted">{momentDay(one.sent_at)}</span>,
}
