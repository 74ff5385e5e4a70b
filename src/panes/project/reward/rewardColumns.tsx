import { decimal } from '../../../../contract/decimals.ts'
import { count, dollars, percent } from '../../../../contract/format.ts'
import { rewardFields } from '../../../../contract/rewardFields.ts'
import { subjectAs } from '../../../commands/subject.ts'
import type { CommandId } from '../../../commands/table.ts'
import { editsOf } from '../../../list/fieldEdit.ts'
import type { FilterChoice } from '../../../list/ListBar.tsx'
import { type Cells, columnsOf, Name, type RowOf } from '../../../list/nounColumns.tsx'
import { href } from '../../../routing/routes.ts'
import type { Column } from '../../../ui/grid/columns.ts'
import { Mark } from '../../../ui/Pill.tsx'
import { workspace } from '../../../workspace/currentWorkspace.ts'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { recordHref } from '../../shared/projectSubject.ts'

/** A catalogue reward, as its lists show it. */
export type Reward = RowOf<'reward'>
/** The same, with its statistics within one project. */
export type ProjectReward = Reward & { share: number; days_to_payment: number | null }
export const rewardSubject = subjectAs<Reward>('reward')

const ANY = { value: '', label: 'all' } as const
const PROVIDER_OPTIONS = rewardFields.partner_id.options
/** Filters of both catalogue lists. */
export const REWARD_FILTERS: readonly FilterChoice[] = [
  {
    name: 'provider',
    label: 'Provider',
    options: [ANY, ...PROVIDER_OPTIONS.map(({ value, label }) => ({ value: String(value), label }))],
  },
  { name: 'flag', label: 'Flagged', options: [ANY, { value: 'amount', label: 'Amount can’t be paid' }] },
  { name: 'used', label: 'Used', options: [ANY, { value: 'yes', label: 'Used' }, { value: 'no', label: 'Unused' }] },
]
/** Default filters. */
export const NO_FILTER = { provider: '', flag: '', used: '' } as const
export const filterOf = ({ provider, flag, used }: Readonly<Record<keyof typeof NO_FILTER, string>>) => ({
  partner_id: PROVIDER_OPTIONS.find(({ value }) => String(value) === provider)?.value,
  flag: flag === 'amount' ? ('amount' as const) : ('' as const),
  used: used === 'yes' || used === 'no' ? (used as 'yes' | 'no') : ('' as const),
})
export const REWARD_BULK: readonly CommandId[] = ['reward.copyTo', 'reward.editField', 'reward.remove']

/** A link in a cell that doesn't open the row. */
const Lead = ({ to, children }: { to: string; children: React.ReactNode }) => (
  <PaneLink
    to={to}
    tabIndex={-1}
    className="inline-block max-w-full truncate rounded-sm py-0.5 align-middle text-muted hover:text-accent-ink hover:underline"
    onClick={(event) => event.stopPropagation()}
  >
    {children}
  </PaneLink>
)

/** Shows "12 · $60.00", or a faint dash. */
function Figures({ number, cents }: { number: number; cents: number }) {
  if (!number) return <span className="text-faint">–</span>
  return (
    <>
      {count(number)} <span className="text-muted">· {dollars(cents)}</span>
    </>
  )
}

const edit = editsOf('reward', rewardFields, ({ data, message }, row: Reward, name) => {
  if (name === 'amount' && row.pending_count && data.amount_cents !== row.amount_cents) workspace.notice(message)
})

const cells: { readonly [C in keyof RewardCells]: Cells<Reward> } = {
  name: {
    min: 180,
    flex: 3,
    priority: 15,
    render: ({ name }) => <Name>{name}</Name>,
    edit: edit('name'),
  },
  amount_cents: {
    width: 112,
    priority: 14,
    narrow: 'aside',
    render: ({ amount_cents, amount_flag, allowed_amounts }) =>
      amount_flag ? (
        <span
          className="inline-flex items-center gap-1.5 rounded-full bg-red-wash px-2 font-medium text-red-ink"
          title={`not one of ${allowed_amounts.join(', ')}`}
        >
          <Mark shape="triangle" />
          {dollars(amount_cents)}
          <span className="sr-only"> (not one of {allowed_amounts.join(', ')})</span>
        </span>
      ) : (
        dollars(amount_cents)
      ),
    edit: edit('amount'),
  },
  project_name: {
    min: 170,
    flex: 2,
    priority: 12,
    narrow: 'meta',
    render: (row) => (
      <Lead to={recordHref(row.generation, row.project_id, 'catalogue')}>
        <bdi>{row.project_name}</bdi>
      </Lead>
    ),
  },
  client_name: {
    min: 110,
    flex: 1,
    priority: 7,
    narrow: 'hidden',
    render: (row) => (
      <Lead to={href('client', { id: row.client_id })}>
        <bdi>{row.client_name}</bdi>
      </Lead>
    ),
  },
  provider_name: { width: 128, priority: 9, narrow: 'hidden' },
  provider_code: { width: 84, priority: 6, narrow: 'hidden' },
  reward_type: { width: 84, priority: 1, narrow: 'hidden' },
  pending_count: {
    width: 128,
    priority: 13,
    narrow: 'meta',
    render: (row) => (
      <Lead to={recordHref(row.generation, row.project_id, 'rewardCenter')}>
        {row.pending_count ? (
          <Figures number={row.pending_count} cents={row.pending_cents} />
        ) : (
          <>
            <span aria-hidden="true" className="text-faint in-data-narrow:hidden">
              –
            </span>
            <span className="sr-only in-data-narrow:not-sr-only">none</span>
          </>
        )}
        <span className="sr-only in-data-narrow:not-sr-only"> pending</span>
      </Lead>
    ),
  },
  sent_count: {
    width: 140,
    priority: 11,
    narrow: 'hidden',
    render: (row) => <Figures number={row.sent_count} cents={row.sent_cents} />,
  },
  created_at: { width: 96, priority: 4, narrow: 'hidden' },
  id: { width: 76, priority: 3, narrow: 'hidden' },
}
type RewardCells = Record<
  | 'name'
  | 'amount_cents'
  | 'project_name'
  | 'client_name'
  | 'provider_name'
  | 'provider_code'
  | 'reward_type'
  | 'pending_count'
  | 'sent_count'
  | 'created_at'
  | 'id',
  unknown
>

/** The columns of all projects' rewards. */
export const rewardColumns = columnsOf('reward', cells)

/** Formats days: "2.4 days", "under a day". */
const daysIn = (days: number) => (days < 1 ? 'under a day' : `${decimal(days, 1, 1)} days`)

/** A reward's share of its project's entries, as a thin bar and a figure. */
function Share({ share }: { share: number }) {
  return (
    <span className="flex items-center gap-2">
      <span className="h-1 w-16 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${Math.min(100, share)}%` }} />
      </span>
      <span className="text-muted tabular-nums">{percent(share)}</span>
    </span>
  )
}

/** The columns of one project's rewards; a family's rows also name their project. */
export function projectRewardColumns(family: boolean): readonly Column<ProjectReward>[] {
  const { name, amount_cents, client_name: _, project_name, reward_type, ...rest } = cells
  const own = columnsOf('reward', {
    name,
    amount_cents,
    ...(family ? { project_name } : {}),
    ...rest,
    reward_type,
  }) as unknown as readonly Column<ProjectReward>[]
  const at = own.findIndex(({ id }) => id === 'pending_count')
  const more: readonly Column<ProjectReward>[] = [
    {
      id: 'share',
      header: 'Share of entries',
      width: 136,
      priority: 10,
      narrow: 'hidden',
      render: ({ share }) => <Share share={share} />,
    },
    {
      id: 'days_to_payment',
      header: 'Days to payment',
      width: 104,
      align: 'right',
      priority: 8,
      narrow: 'hidden',
      render: ({ days_to_payment }) =>
        days_to_payment === null ? <span className="text-faint">–</span> : daysIn(days_to_payment),
    },
  ]
  return [...own.slice(0, at), more[0]!, ...own.slice(at, at + 2), more[1]!, ...own.slice(at + 2)]
}

/** Totals of the listed rewards, on a line above the list. */
export function RewardTotals({
  totals,
}: {
  totals:
    | Readonly<
        Record<
          'rewards' | 'pending_count' | 'pending_cents' | 'sent_count' | 'sent_cents' | 'rejected_count' | 'rejected_cents',
          number
        >
      >
    | undefined
}) {
  const parts = totals && [
    ['Pending', totals.pending_count, totals.pending_cents],
    ['Sent', totals.sent_count, totals.sent_cents],
    ['Rejected', totals.rejected_count, totals.rejected_cents],
  ]
  return (
    <dl
      aria-label="Totals"
      className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-6 gap-y-1 border-b border-line px-4 py-1.5 text-meta"
    >
      {parts ? (
        (parts as [string, number, number][]).map(([label, number, cents]) => (
          <div key={label} className="flex items-baseline gap-1.5">
            <dt className="text-muted">{label}</dt>
            <dd className="tabular-nums">
              <b className="font-medium">{dollars(cents)}</b> <span className="text-muted">in {count(number)}</span>
            </dd>
          </div>
        ))
      ) : (
        <dt className="sr-only">Totals</dt>
      )}
    </dl>
  )
}
